import { compareDecimals, NumberText, parseDecimal, type JsonValue } from '../core/index.ts';

/**
 * A value as JSON text, written like another one as far as both are the same: with its order of names and its spelling of
 * numbers. Both texts are equal if and only if the values are.
 */
export function writtenLike(value: JsonValue, other: JsonValue | undefined): string {
  if (isNumber(value)) return isNumber(other) && isSameNumber(value, other) ? String(other) : String(value);
  if (Array.isArray(value)) return arrayLike(value, Array.isArray(other) ? other : []);
  if (isObject(value)) return objectLike(value, isObject(other) ? other : {});
  return JSON.stringify(value);
}

/** Whether two values are the same, whatever the order of their names and the spelling of their numbers. */
export function isSame(one: JsonValue, other: JsonValue): boolean {
  return writtenLike(one, other) === writtenLike(other, other);
}

type JsonNumber = number | NumberText;
export interface JsonObject {
  [name: string]: JsonValue;
}

function arrayLike(elements: readonly JsonValue[], others: readonly JsonValue[]): string {
  return `[${elements.map((element, i) => writtenLike(element, others[i])).join(',')}]`;
}

function objectLike(members: JsonObject, others: JsonObject): string {
  const names = [
    ...Object.keys(others).filter((name) => Object.hasOwn(members, name)),
    ...Object.keys(members),
  ];
  const written = Array.from(new Set(names), (name) => {
    const other = Object.hasOwn(others, name) ? others[name] : undefined;
    return `${JSON.stringify(name)}:${writtenLike(members[name] ?? null, other)}`;
  });
  return `{${written.join(',')}}`;
}

function isNumber(value: JsonValue | undefined): value is JsonNumber {
  return typeof value === 'number' || value instanceof NumberText;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

function isSameNumber(one: JsonNumber, other: JsonNumber): boolean {
  const [first, second] = [parseDecimal(String(one)), parseDecimal(String(other))];
  return first !== undefined && second !== undefined && compareDecimals(first, second) === 0;
}
