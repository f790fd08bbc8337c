import * as fc from 'fast-check';

/**
 * Decisions that differ little from another: in one text, or in one element of a list that is dropped, repeated or moved to the
 * front. What was kept of the other for one of them may not fit.
 *
 * @param decision JSON
 */
export function alikeTo(decision: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(decision);
  const texts = places.filter(({ value }) => typeof value === 'string');
  const lists = places.filter(({ value }) => Array.isArray(value) && value.length > 0);
  const retold = fc
    .tuple(oneOf(texts), oneOf(texts))
    .map(([at, by]) => (at && by ? changed(decision, at.path, () => by.value) : decision));
  const rearranged = fc
    .tuple(oneOf(lists), fc.nat(), fc.constantFrom('drop', 'repeat', 'raise'))
    .map(([at, index, how]) =>
      at
        ? changed(decision, at.path, (list) => (Array.isArray(list) ? rearrange(list, index, how) : list))
        : decision,
    );
  return fc.oneof({ weight: 2, arbitrary: retold }, { weight: 1, arbitrary: rearranged });
}

type Path = readonly (string | number)[];

interface Place {
  readonly path: Path;
  readonly value: unknown;
}

function oneOf(places: readonly Place[]): fc.Arbitrary<Place | undefined> {
  return places.length === 0 ? fc.constant(undefined) : fc.constantFrom(...places);
}

function placesIn(value: unknown, path: Path = []): readonly Place[] {
  const own = { path, value };
  if (Array.isArray(value)) return [own, ...value.flatMap((one, index) => placesIn(one, [...path, index]))];
  if (typeof value !== 'object' || value === null) return [own];
  return [own, ...Object.entries(value).flatMap(([name, one]) => placesIn(one, [...path, name]))];
}

/** A copy with another value at one place. */
function changed(value: unknown, [step, ...path]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((one, index) => (index === step ? changed(one, path, change) : one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, name === step ? changed(one, path, change) : one]),
  );
}

function rearrange(
  list: readonly unknown[],
  index: number,
  how: 'drop' | 'repeat' | 'raise',
): readonly unknown[] {
  const at = index % list.length;
  const others = list.toSpliced(at, 1);
  if (how === 'drop') return others;
  return how === 'repeat' ? list.toSpliced(at, 0, list[at]) : [list[at], ...others];
}
