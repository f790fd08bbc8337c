import type * as z from 'zod';
import { expectationOf, firstKeyOf, knownKeysNear } from './keys.ts';
import { nearestOf } from '../nearest.ts';
import { UNREADABLE, type Problem } from '../yaml/index.ts';

type Issue = z.core.$ZodIssue;

const TYPE_NAMES: Readonly<Partial<Record<string, string>>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
};

function typeName(value: unknown): string {
  return Array.isArray(value) ? 'a list' : (TYPE_NAMES[typeof value] ?? 'a map');
}

/** What was found instead, by its type alone: the value may be a secret in the wrong place. */
function found(issue: Issue): string {
  if (issue.code !== 'invalid_type' || issue.expected === 'int') return '';
  const hint = issue.expected === 'string' && typeof issue.input !== 'object' ? '; put it in quotes' : '';
  return `, but is ${typeName(issue.input)}${hint}`;
}

function messageOf(issue: Issue, key: string): string {
  if (issue.code === 'custom' || issue.code === 'invalid_format') return issue.message;
  if (issue.code === 'too_small' && issue.origin === 'array') return 'must have at least one element';
  if (issue.input === undefined) return `is required and must be ${expectationOf(key)}`;
  return `must be ${expectationOf(key)}${found(issue)}`;
}

function unknownKey(key: string): Problem {
  const group = firstKeyOf(key);
  if (group !== undefined) {
    const message = `is a group of keys, not a key; write each key flat, such as ${group}, or nest each group`;
    return { key, message };
  }
  if (knownKeysNear(key).includes(key))
    return { key, message: 'is nested in part; write it flat, or nest each of its groups' };
  if (lastName(key) === '') return { key, message: 'has an empty name ("") for a key' };
  return { key, message: `is not a known key${suggestion(key)}${invisibleIn(key)}` };
}

/** A known key that is spelt almost like it, or that has the same name in another place. */
function suggestion(key: string): string {
  const known = knownKeysNear(key);
  const near = nearestOf(key, known);
  if (near !== '') return near;
  const name = lastName(key);
  const elsewhere = known.filter((one) => lastName(one) === name);
  const meant = elsewhere.find((one) => one === name) ?? (elsewhere.length === 1 ? elsewhere[0] : undefined);
  return meant === undefined ? '' : `; did you mean ${meant}? Check the indentation`;
}

/** A character that looks like a space, or like nothing. */
function invisibleIn(key: string): string {
  const unit = /[^\S \t\n\r]|\p{Cf}/u.exec(key)?.[0].codePointAt(0);
  if (unit === undefined) return '';
  return `; it has the invisible character U+${unit.toString(16).toUpperCase().padStart(4, '0')}`;
}

function lastName(key: string): string | undefined {
  return key.split('.').at(-1);
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** What an issue of the schema says, key by key. Values that could not be read are reported already. */
export function problemsOf(issue: Issue): readonly Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => unknownKey(dotted([...issue.path, name])));
  }
  const key = dotted(issue.path);
  return issue.input === UNREADABLE ? [] : [{ key, message: messageOf(issue, key) }];
}
