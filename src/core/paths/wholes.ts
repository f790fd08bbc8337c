import _ from 'lodash';
import { isInteger, isWholeSecond } from '../conditions/typed-beginning.ts';
import { after, firstIn, nameAfter, startOf, type JsonDocument, type Node } from '../json/document.ts';
import type { InstantBounds, WholeSecond } from './instant-bounds.ts';
import type { NumberBounds, Whole } from './number-bounds.ts';

const ZERO = 0x30;
const BACKSLASH = 0x5c;

/** What may come before a name, with a dot, so that the name is the fraction of a number or of a second. */
export interface Wholes {
  readonly numbers: readonly Whole[];
  /** Those of the numbers after which digits make a difference; after the others only an exponent does. */
  readonly near: readonly Whole[];
  /** The seconds after which it makes a difference what follows. */
  readonly seconds: readonly WholeSecond[];
}

/** Whether a name in an object may be a fraction, if that of the object is what comes before one. */
export function mayHoldFraction(doc: JsonDocument, object: Node): boolean {
  const stop = after(doc, object);
  for (let name = firstIn(object); name < stop; name = nameAfter(doc, name)) {
    const first = doc.bytes[startOf(doc, name) + 1]!;
    if (first === BACKSLASH || (first >= ZERO && first <= ZERO + 9)) return true;
  }
  return false;
}

/** Reads names that a fraction may follow. */
export class WholeReader {
  private readonly numbers: NumberBounds | undefined;
  private readonly instants: InstantBounds | undefined;
  private readonly known = new WeakMap<readonly string[], Wholes>();
  /** What was asked for last: a state asks for the same ones for each of its names. */
  private latestNames: readonly string[] | undefined;
  private latest: Wholes = { numbers: [], near: [], seconds: [] };

  constructor(numbers: NumberBounds | undefined, instants: InstantBounds | undefined) {
    this.numbers = numbers;
    this.instants = instants;
  }

  /** @param names any of which may come before; a list stays as it is */
  read(names: readonly string[]): Wholes {
    if (names === this.latestNames) return this.latest;
    const wholes = this.known.get(names) ?? this.readAll(names);
    this.known.set(names, wholes);
    this.latestNames = names;
    this.latest = wholes;
    return wholes;
  }

  private readAll(names: readonly string[]): Wholes {
    const { numbers: numberBounds, instants } = this;
    const all = numberBounds ? names.filter(isInteger).map((name) => numberBounds.wholeOf(name)) : [];
    const numbers = _.uniqBy(all, 'key');
    const seconds = instants ? names.filter(isWholeSecond).map((name) => instants.wholeOf(name)) : [];
    return {
      numbers,
      near: numbers.filter(({ isNear }) => isNear),
      seconds: seconds.filter(({ isNear }) => isNear),
    };
  }
}
