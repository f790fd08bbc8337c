import { scalarText, type Json } from './model.ts';
import { parseJson } from './parse.ts';
import { Refusal, requireOfDecision, understood } from './refusal.ts';

/**
 * Parses a PDP's answer.
 *
 * @throws Refusal 502 if it is no JSON, or a name occurs twice in one of its objects.
 */
export function parseDecision(text: string): Json {
  const decision = parsedOrRefused(text);
  refuseRepeatedNames(decision);
  return decision;
}

/** Whether an object of the decision has a member of a name, whatever its value. */
export function hasName(value: Json, name: string): boolean {
  return value.kind === 'object' && value.members.some((member) => member.name === name);
}

/** A member of an object of the decision; undefined if it is absent or null. */
export function memberOfObject(value: Json | undefined, name: string): Json | undefined {
  if (value?.kind !== 'object') throw new Refusal(502, 'The decision is not understood: no object');
  const found = value.members.find((member) => member.name === name)?.value;
  return found?.kind === 'null' ? undefined : found;
}

/** A list of the decision; what is absent is an empty list. */
export function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  if (value.kind !== 'array') throw new Refusal(502, 'The decision is not understood: no list');
  return value.items.map((item) => item.value);
}

/** A list of texts; a single one counts as a list of one. Numbers and booleans count as they are written. */
export function textsOf(value: Json | undefined): readonly string[] {
  const single = value === undefined ? undefined : scalarText(value);
  if (single !== undefined) return [single];
  return listOf(value).map((item) => understood(scalarText(item), 'no text'));
}

/** A list of strings, of which a single one counts as a list of one. */
export function stringsOf(value: Json | undefined): readonly string[] {
  if (value?.kind === 'string') return [value.value];
  return listOf(value).map((item) => understood(stringOrNothing(item), 'no text'));
}

/** The text of a string; undefined for anything else. */
export function stringOrNothing(value: Json | undefined): string | undefined {
  return value?.kind === 'string' ? value.value : undefined;
}

function parsedOrRefused(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal(502, 'The decision is no JSON');
    throw error;
  }
}

function refuseRepeatedNames(value: Json): void {
  if (value.kind === 'array') value.items.forEach((item) => refuseRepeatedNames(item.value));
  if (value.kind !== 'object') return;
  const names = value.members.map(({ name }) => name);
  requireOfDecision(new Set(names).size === names.length, 'a name that occurs twice');
  value.members.forEach((member) => refuseRepeatedNames(member.value));
}
