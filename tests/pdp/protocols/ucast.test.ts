import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Condition, Leaf } from '../../../src/core/index.ts';
import { parseAnswer } from '../../../src/pdp/decisions/json-answer.ts';
import { readUcast } from '../../../src/pdp/protocols/opa/ucast.ts';
import { questionOf } from '../questions.ts';

type Query =
  | { readonly type: 'compound'; readonly operator: 'and' | 'or' | 'not'; readonly value: readonly Query[] }
  | {
      readonly type: 'field';
      readonly operator: 'eq' | 'ne' | 'in' | 'nin';
      readonly field: string;
      readonly value: string | null | readonly string[];
    };
type Row = Readonly<Partial<Record<string, string>>>;

const { settings } = questionOf({});
const FIELDS = ['a', 'b', 'c'];
const VALUES = ['x', 'y'];
const text = fc.constantFrom(...VALUES);

const fields: fc.Arbitrary<Query> = fc.oneof(
  fc.record({
    type: fc.constant('field' as const),
    operator: fc.constantFrom('eq' as const, 'ne' as const),
    field: fc.constantFrom(...FIELDS),
    value: text,
  }),
  fc.record({
    type: fc.constant('field' as const),
    operator: fc.constantFrom('in' as const, 'nin' as const),
    field: fc.constantFrom(...FIELDS),
    value: fc.array(text, { maxLength: 2 }),
  }),
  fc
    .constantFrom(...FIELDS)
    .map((field) => ({ type: 'field' as const, operator: 'ne' as const, field, value: null })),
);
const { query } = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fields,
    fc.record({
      type: fc.constant('compound' as const),
      operator: fc.constantFrom('and' as const, 'or' as const),
      value: fc.array(tie('query'), { minLength: 1, maxLength: 3 }),
    }),
    tie('query').map((part) => ({ type: 'compound' as const, operator: 'not' as const, value: [part] })),
  ),
}));
const rows: fc.Arbitrary<Row> = fc.dictionary(fc.constantFrom(...FIELDS), text);

/** As Rego means it: what negates holds only if every field that it is about is there. */
function holds(of: Query, row: Row): boolean {
  if (of.type === 'field') return fieldHolds(of, row[of.field]);
  if (of.operator === 'and') return of.value.every((part) => holds(part, row));
  if (of.operator === 'or') return of.value.some((part) => holds(part, row));
  return (
    fieldsOf(of).every((field) => row[field] !== undefined) && !of.value.some((part) => holds(part, row))
  );
}

function fieldHolds(
  { operator, value }: Extract<Query, { type: 'field' }>,
  found: string | undefined,
): boolean {
  if (found === undefined) return false;
  if (operator === 'eq') return found === value;
  if (operator === 'ne') return found !== value;
  const isListed = Array.isArray(value) && value.includes(found);
  return operator === 'in' ? isListed : !isListed;
}

function fieldsOf(of: Query): readonly string[] {
  return of.type === 'field' ? [of.field] : of.value.flatMap(fieldsOf);
}

/** What the service reads. */
function read(asked: unknown): Condition {
  return readUcast(parseAnswer(Buffer.from(JSON.stringify(asked))), settings, []);
}

/** Whether what it read holds. */
function isMet(condition: Condition, row: Row): boolean {
  if (condition.kind === 'all') return condition.of.every((part) => isMet(part, row));
  if (condition.kind === 'any') return condition.of.some((part) => isMet(part, row));
  return isLeafMet(condition, row);
}

function isLeafMet({ written: { attribute, operator }, values }: Leaf, row: Row): boolean {
  const found = row[attribute];
  const isFound = found !== undefined;
  switch (operator) {
    case 'present':
      return isFound;
    case 'not present':
      return !isFound;
    case 'eq':
    case 'in':
      return isFound && values.includes(found);
    case 'ne':
    case 'nin':
      return !isFound || !values.includes(found);
    default:
      throw new Error(`an unknown operator, ${operator}`);
  }
}

function sizeOf(condition: Condition): number {
  if (condition.kind === 'leaf') return 1;
  return condition.of.reduce((size, part) => size + sizeOf(part), 1);
}

test('a UCAST condition means what it means in Rego', () => {
  fc.assert(
    fc.property(query, fc.array(rows, { minLength: 1, maxLength: 8 }), (asked, records) => {
      const condition = read(asked);
      expect(records.map((row) => isMet(condition, row))).toEqual(records.map((row) => holds(asked, row)));
    }),
    { numRuns: 2000 },
  );
});

/** What a leaf is remembered by: leaves of the same key are taken for one. */
function keyOf(asked: object): string | undefined {
  const condition = read({ type: 'field', operator: 'eq', field: 'a', value: '1', ...asked });
  return condition.kind === 'leaf' ? condition.key : undefined;
}

test('comparisons that differ in one part only are not taken for each other', () => {
  const others = [{ field: 'b' }, { operator: 'lt' }, { value: 1 }, { value: '2' }];
  const keys = [{}, ...others].map((one) => keyOf(one));
  expect(keys).not.toContain(undefined);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keyOf({})).toBe(keys[0]);
});

test('negations in each other do not make a condition larger', () => {
  const all = { type: 'compound', operator: 'and', value: fc.sample(fields, { numRuns: 100, seed: 1 }) };
  const nested = Array.from({ length: 30 }).reduce(
    (of: object) => ({ type: 'compound', operator: 'not', value: [of] }),
    all,
  );
  const once = read({ type: 'compound', operator: 'not', value: [all] });
  const often = read(nested);
  expect(sizeOf(often)).toBeLessThan(sizeOf(once) + 2 * 30);
});
