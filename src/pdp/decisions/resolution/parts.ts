import { NumberText } from '../../../core/index.ts';
import { notUnderstood, within, type JsonPointer } from '../not-understood.ts';

/** An object of a decision. */
export type Members = Readonly<Record<string, unknown>>;

/** Reads one part of a decision. @throws ServiceError `decision-not-understood`, with the place */
export type PartReader<T> = (value: unknown, place: JsonPointer) => T;

export function misshapen(place: JsonPointer): Error {
  return notUnderstood('a part is missing or of the wrong type', place);
}

/** A member that may be null or missing. */
export function optional<T>(
  members: Members,
  name: string,
  read: PartReader<T>,
  place: JsonPointer,
): T | undefined {
  const value = members[name];
  return value === undefined || value === null ? undefined : read(value, [...place, name]);
}

/** A member that must be there. */
export function required<T>(members: Members, name: string, read: PartReader<T>, place: JsonPointer): T {
  return read(members[name], [...place, name]);
}

/** A text that may be null or missing. Its place is made only if it is no text: decisions have many. */
export function optionalText(members: Members, name: string, place: JsonPointer): string | undefined {
  const value = members[name];
  return typeof value === 'string' ? value : optional(members, name, asText, place);
}

/** A text that must be there. */
export function requiredText(members: Members, name: string, place: JsonPointer): string {
  const value = members[name];
  return typeof value === 'string' ? value : required(members, name, asText, place);
}

export function asObject(value: unknown, place: JsonPointer): Members {
  if (!isObject(value)) throw misshapen(place);
  return value;
}

export function isObject(value: unknown): value is Members {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

export function asList<T>(value: unknown, item: PartReader<T>, place: JsonPointer): readonly T[] {
  if (!isList(value)) throw misshapen(place);
  return value.map((one, i) => item(one, [...place, i]));
}

/** Strings; a single one counts as a list of one. */
export function asTexts(value: unknown, place: JsonPointer): readonly string[] {
  return isListOfTexts(value) ? value : asOneOrMany(value, asText, place);
}

/** Strings or numbers as text; a single one counts as a list of one. */
export function asIdentifiers(value: unknown, place: JsonPointer): readonly string[] {
  return isListOfTexts(value) ? value : asOneOrMany(value, asIdentifier, place);
}

/** Strings, numbers or booleans as text; a single one counts as a list of one. */
export function asScalars(value: unknown, place: JsonPointer): readonly string[] {
  return isListOfTexts(value) ? value : asOneOrMany(value, asScalar, place);
}

/** From this length on, a list is not read twice: the embedded PDP has one list for many entries. */
const LONG = 64;
/** Long lists of texts. Nobody changes the lists of an answer. */
const longLists = new WeakSet<readonly unknown[]>();

function isListOfTexts(value: unknown): value is readonly string[] {
  if (!isList(value)) return false;
  if (value.length < LONG) return areTexts(value);
  if (!longLists.has(value) && areTexts(value)) longLists.add(value);
  return longLists.has(value);
}

function areTexts(list: readonly unknown[]): boolean {
  return list.every((one) => typeof one === 'string');
}

/** One or several; a single one counts as a list of one. */
function asOneOrMany<T>(value: unknown, item: PartReader<T>, place: JsonPointer): readonly T[] {
  return isList(value) ? asList(value, item, place) : [item(value, place)];
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function asText(value: unknown, place: JsonPointer): string {
  if (typeof value !== 'string') throw misshapen(place);
  return value;
}

export function asFlag(value: unknown, place: JsonPointer): boolean {
  if (typeof value !== 'boolean') throw misshapen(place);
  return value;
}

/** A string or number as text: what names a property or an asset. */
function asIdentifier(value: unknown, place: JsonPointer): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || value instanceof NumberText) return String(value);
  throw misshapen(place);
}

/** A string, number or boolean as text. */
export function asScalar(value: unknown, place: JsonPointer): string {
  return typeof value === 'boolean' ? String(value) : asIdentifier(value, place);
}

/** One of some words. */
export function asOneOf<T extends string>(
  words: readonly T[],
  value: string,
  name: string,
  place: JsonPointer,
): T {
  const upper = value.toUpperCase();
  const found = words.find((word) => word === upper);
  if (found === undefined) throw notUnderstood(`an unknown ${name}`, within(place, name));
  return found;
}
