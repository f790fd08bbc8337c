import { jsonPointer, type Explanation, type JsonValue } from '../core/index.ts';
import { isObject, isSame } from './compare.ts';

/** An answer that is not what a test expects, and the payload that it was made of. */
export interface Compared {
  readonly expected: JsonValue;
  readonly actual: JsonValue;
  readonly payload: JsonValue;
  readonly explanation: Explanation;
}

/**
 * Where an answer is not what is expected: JSON pointers into the payload as the test sends it. Where elements of a list are missing or
 * were not expected, these are the elements between those at the beginning and at the end that are the same.
 */
export function differingPlaces({ expected, actual, payload, explanation }: Compared): readonly string[] {
  const places = new DifferingPlaces(removedIn(explanation));
  places.compare(expected, actual, payload, []);
  return places.found;
}

function removedIn({ records, changes }: Explanation): ReadonlySet<string> {
  const removed = changes.filter(({ effect }) => effect === 'removed');
  return new Set([...records.filter(({ kept }) => !kept), ...removed].map(({ pointer }) => pointer));
}

type Steps = readonly (string | number)[];

class DifferingPlaces {
  readonly found: string[] = [];
  private readonly removed: ReadonlySet<string>;

  constructor(removed: ReadonlySet<string>) {
    this.removed = removed;
  }

  /** @param payload what the payload has there; undefined for nothing */
  compare(expected: JsonValue, actual: JsonValue, payload: JsonValue | undefined, at: Steps): void {
    if (isObject(expected) && isObject(actual)) {
      for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)]))
        this.compareMembers(name, [expected, actual, isObject(payload) ? payload : {}], at);
    } else if (Array.isArray(expected) && Array.isArray(actual))
      this.compareLists(expected, actual, payload, at);
    else if (!isSame(expected, actual)) this.add(at);
  }

  private compareMembers(
    name: string,
    objects: readonly Readonly<Record<string, JsonValue>>[],
    at: Steps,
  ): void {
    const [expected, actual, payload] = objects.map((one) =>
      Object.hasOwn(one, name) ? one[name] : undefined,
    );
    if (expected === undefined || actual === undefined) this.add([...at, name]);
    else this.compare(expected, actual, payload, [...at, name]);
  }

  private compareLists(
    expected: readonly JsonValue[],
    actual: readonly JsonValue[],
    payload: JsonValue | undefined,
    at: Steps,
  ): void {
    const sent = Array.isArray(payload) ? payload : [];
    const kept = [...sent.entries()].filter(([i]) => !this.removed.has(jsonPointer([...at, i])));
    if (kept.length !== actual.length) {
      if (!isSame([...expected], [...actual])) this.add(at);
    } else if (expected.length === actual.length) {
      for (const [i, [index, element]] of kept.entries()) {
        const [wanted, answered] = [expected[i], actual[i]];
        if (wanted !== undefined && answered !== undefined)
          this.compare(wanted, answered, element, [...at, index]);
      }
    } else {
      const start = sameAtStart(expected, actual);
      const end = sameAtStart(expected.slice(start).toReversed(), actual.slice(start).toReversed());
      const before = kept[start - 1];
      const from = before === undefined ? 0 : before[0] + 1;
      const to = kept[actual.length - end]?.[0] ?? sent.length;
      if (from === to) this.add(at);
      for (let i = from; i < to; i++) this.add([...at, i]);
    }
  }

  private add(at: Steps): void {
    this.found.push(jsonPointer(at));
  }
}

/** How many elements at the beginning of two lists are the same. */
function sameAtStart(one: readonly JsonValue[], other: readonly JsonValue[]): number {
  const first = one.findIndex((value, i) => {
    const counterpart = other[i];
    return counterpart === undefined || !isSame(value, counterpart);
  });
  return first === -1 ? one.length : first;
}
