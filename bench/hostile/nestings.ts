import { placesIn, set, valueAt, type Json, type Place } from './places.ts';

/** JSON of a PDP may nest 200 levels, and what is put into itself has two or three on each. */
const LEVELS = 60;

/** What is innermost besides the value itself: what is wrong in most places. */
const WRONG: readonly Json[] = [null, 'x', {}];

/**
 * A sample with each value of it put into each place of itself, again and again. What is done twice on each level takes twice the
 * time with each, so that it never ends.
 */
export function* nestings(of: Json): Generator<Json> {
  // A sample may have one object in two places.
  const sample: Json = JSON.parse(JSON.stringify(of));
  for (const at of placesIn([sample]).keys()) {
    const value = valueAt(placeAt([sample], at));
    for (const within of placesIn([value]).keys().drop(1)) {
      for (const innermost of [value, ...WRONG]) {
        const whole = [structuredClone(sample)];
        set(placeAt(whole, at), nested(value, within, innermost));
        yield whole[0] ?? null;
      }
    }
  }
}

function nested(value: Json, within: number, innermost: Json): Json {
  let inner = innermost;
  for (let level = 0; level < LEVELS; level++) {
    const outer = [structuredClone(value)];
    set(placeAt(outer, within), inner);
    inner = outer[0] ?? null;
  }
  return inner;
}

function placeAt(whole: Json[], at: number): Place {
  return placesIn(whole)[at] ?? { holder: whole, key: 0 };
}
