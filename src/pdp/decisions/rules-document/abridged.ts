import type { JsonValue } from '../../../core/index.ts';
import { isObject } from '../json-answer.ts';
import type { JsonPointer } from '../not-understood.ts';

/** So many members of each object are kept. */
const FEW = 100;

/**
 * The part of a rule that may be wrong, and little else: to find out what is wrong with 100,000 parts takes seconds, and one is named. A
 * list on the way to the part keeps that element alone, and others their first, which is right if the list is.
 */
export function abridged(value: JsonValue, doubtedAt: JsonPointer): JsonValue {
  return partOf(value, doubtedAt, 0);
}

/** @param at how many steps led to the value; -1 if others did than those to that part */
function partOf(value: JsonValue, doubtedAt: JsonPointer, at: number): JsonValue {
  const step = at < 0 ? undefined : doubtedAt[at];
  const next = (name: string | number): number => (name === step ? at + 1 : -1);
  if (Array.isArray(value)) {
    const index = typeof step === 'number' ? step : 0;
    return value.slice(index, index + 1).map((one) => partOf(one, doubtedAt, next(index)));
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const doubted = typeof step === 'string' && Object.hasOwn(value, step) ? [step] : [];
  // As in what was parsed, `__proto__` is a name like any other.
  const kept: Record<string, JsonValue> = Object.create(null);
  // Once each: a part that is walked twice on every level takes twice the time with each.
  for (const name of new Set([...names.slice(0, FEW), ...doubted]))
    kept[name] = partOf(value[name] ?? null, doubtedAt, next(name));
  return kept;
}

/** The place in the rule of a place in what was made of it. */
export function originalPlace(place: JsonPointer, doubtedAt: JsonPointer): JsonPointer {
  const steps: (string | number)[] = [];
  let isOnTheWay = true;
  for (const [at, step] of place.entries()) {
    const expected = doubtedAt[at];
    const isElement = typeof expected === 'number' && typeof step === 'number';
    const original: string | number = isOnTheWay && isElement ? expected : step;
    steps.push(original);
    isOnTheWay &&= original === expected;
  }
  return steps;
}
