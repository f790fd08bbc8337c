import { Refusal, requireOfDecision } from './refusal.ts';

/** A member of an object of the decision, never an inherited one; undefined where it is absent or null. */
export function memberOfObject(value: unknown, name: string): unknown {
  if (!isObject(value)) throw new Refusal(502, 'The decision is not understood: no object');
  return Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
}

/** A list of the decision; what is absent is an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Refusal(502, 'The decision is not understood: no list');
  return value;
}

/** A list of texts, where a single one stands for a list of one. */
export function stringsOf(value: unknown): readonly string[] {
  return (typeof value === 'string' ? [value] : listOf(value)).map(asText);
}

function asText(value: unknown): string {
  requireOfDecision(['string', 'number', 'boolean'].includes(typeof value), 'no text');
  return String(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
