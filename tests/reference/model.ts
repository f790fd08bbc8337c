/** A JSON document as plain, mutable parts that keep what `JSON.parse` loses: number text, spelling, order, repeated names. */
export type Json = JsonNull | JsonBoolean | JsonNumber | JsonString | JsonArray | JsonObject;

interface JsonNull {
  readonly kind: 'null';
}

interface JsonBoolean {
  readonly kind: 'boolean';
  readonly value: boolean;
}

interface JsonNumber {
  readonly kind: 'number';
  readonly text: string;
}

interface JsonString {
  readonly kind: 'string';
  readonly value: string;
  /** The token as it is written, quotes included. */
  readonly spelling: string;
}

/** A place that holds a value: an element of an array, a member of an object, or the document itself. */
export interface Slot {
  value: Json;
}

export interface Member extends Slot {
  readonly name: string;
  readonly spelling: string;
}

interface JsonArray {
  readonly kind: 'array';
  items: Slot[];
}

export interface JsonObject {
  readonly kind: 'object';
  members: Member[];
}

export const NULL: Json = { kind: 'null' };

export function stringOf(value: string): JsonString {
  return { kind: 'string', value, spelling: JSON.stringify(value) };
}

export function keyIdOf(text: string): JsonNumber {
  return { kind: 'number', text };
}

export function objectOf(members: Member[]): JsonObject {
  return { kind: 'object', members };
}

export function arrayOf(values: readonly Json[]): JsonArray {
  return { kind: 'array', items: values.map((value) => ({ value })) };
}

export function memberOf(name: string, value: Json): Member {
  return { name, spelling: JSON.stringify(name), value };
}

/** The text of a string, number or boolean; undefined for everything else. */
export function scalarText(value: Json): string | undefined {
  if (value.kind === 'string') return value.value;
  if (value.kind === 'number') return value.text;
  return value.kind === 'boolean' ? String(value.value) : undefined;
}

export function isContainer(value: Json): boolean {
  return value.kind === 'array' || value.kind === 'object';
}

/** Null, `""`, `[]` and `{}` (docs/enforcement.md#actions). */
export function isEmpty(value: Json): boolean {
  if (value.kind === 'string') return value.value === '';
  if (value.kind === 'array') return value.items.length === 0;
  if (value.kind === 'object') return value.members.length === 0;
  return value.kind === 'null';
}
