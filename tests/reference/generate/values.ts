import * as fc from 'fast-check';
import { arrayOf, NULL, keyIdOf, objectOf, stringOf, type Json, type Member } from '../model.ts';

/** Names that have a meaning to JavaScript, to the path language or to JSON's own spelling. */
export const ODD_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'first.name',
  'a*',
  'a?b',
  'back\\slash',
  '#',
  '0',
  '10',
  '$cost',
  '$ref',
  'json',
  'sp ace',
  '"quoted"',
  'tab\t',
  'é',
  'e\u0301',
  '👍🏽',
  'line\u2028',
  '\ud800',
] as const;

const NUMBERS = [
  '0',
  '-0',
  '7',
  '10',
  '41',
  '-1234.56',
  '1.10',
  '0.05',
  '1e400',
  '1E+2',
  '-0.0e-1',
  '9007199254740993',
  '12345678901234567890',
  '1e12345678901234567',
  '-1E-12345678901234567',
  '0.12345678901',
  '4111111111111111',
  '12500',
  '-7.5',
  '1e-400',
  '1e999999999',
] as const;

const TEXTS = [
  'open',
  'closed',
  'US',
  'DE',
  'x',
  '41',
  '1.10',
  'true',
  '4111-1111-1111-1111',
  '1234567890',
  'Ann Miller',
  '👍🏽abcde',
  'e\u0301a\u0308b',
  '\ud800lone',
  'say "hi"\\\n',
  'a\u0000b',
  'ann.lee@example.com',
  'é@bücher.example',
  'not@an@address',
  '4111 1111 1111 1111',
  '2026-11-21',
  '2023-02-29',
  '2026-12-31T23:30:00-02:00',
  '2024-02-29T00:15+01:00',
  'Ǆ½ d\u030c१',
] as const;

const EMPTIES: readonly Json[] = [NULL, stringOf(''), arrayOf([]), objectOf([])];

const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);

/** Now and then, so that what is usual is hit more often than what is odd. */
const seldom: fc.Arbitrary<boolean> = fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0);

export const anyString: fc.Arbitrary<Json> = fc
  .tuple(anyText, seldom)
  .map(([value, escaped]) => ({ kind: 'string', value, spelling: spell(value, escaped) }));

export const anyNumber: fc.Arbitrary<Json> = fc
  .oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: -100, max: 100 }).map(String))
  .map(keyIdOf);

export const anyBoolean: fc.Arbitrary<Json> = fc.boolean().map((value) => ({ kind: 'boolean', value }));

export const anyEmpty: fc.Arbitrary<Json> = fc.constantFrom(...EMPTIES);

export const anyScalar: fc.Arbitrary<Json> = fc.oneof(anyString, anyNumber, anyBoolean, fc.constant(NULL));

/** Any value, now and then nested, with odd names. */
export const anyValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    anyScalar,
    anyEmpty,
    fc.array(tie('value'), { maxLength: 3 }).map(arrayOf),
    fc.array(member(fc.constantFrom(...ODD_NAMES), tie('value')), { maxLength: 3 }).map(objectOf),
  ),
})).value;

/** A member whose name is now and then spelt with escapes. */
export function member(name: fc.Arbitrary<string>, value: fc.Arbitrary<Json>): fc.Arbitrary<Member> {
  return fc
    .tuple(name, value, seldom)
    .map(([text, content, isEscaped]) => ({ name: text, value: content, spelling: spell(text, isEscaped) }));
}

/** The token of a string, where asked with every character as an escape. */
function spell(text: string, escaped: boolean): string {
  if (!escaped) return JSON.stringify(text);
  return `"${text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}
