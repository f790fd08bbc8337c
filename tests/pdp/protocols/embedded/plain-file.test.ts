import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { parsePolicyText } from '../../../../src/pdp/protocols/embedded/policy-file/load.ts';
import { plainPolicyFile } from '../../../../src/pdp/protocols/embedded/policy-file/plain.ts';
import { policiesFrom } from './ask.ts';

const RUNS = Number(process.env['RUNS'] ?? 1000);

/** Parts that are right, and some that are not. */
const word = fc.constantFrom(
  'a',
  'b',
  'a.b',
  'cards.#.number',
  'x y',
  '$.a',
  '1',
  '',
  'a[',
  '${entityId}',
  'FILTER',
);
const words = fc.oneof(fc.array(word, { maxLength: 3 }), word);
const value = fc.oneof(
  word,
  fc.constantFrom<unknown>(
    true,
    false,
    1,
    1.5,
    null,
    '2026-01-01',
    '${claims.region}',
    '${claims..x}',
    'true',
  ),
);
const action = fc.oneof(
  fc.constantFrom('MASK', 'mask', 'FILTER', 'last(4)', 'last(4', 'hash(k)', '1::MASK', 'secret', 'remove()'),
  fc.record({ name: word, value }, { requiredKeys: ['name'] }),
);
const comparison = fc.record(
  {
    attribute: word,
    operator: fc.constantFrom('EQUALS', 'in', 'NOT_IN', 'LESS', 'CONTAINS', 'LIKE'),
    type: fc.constantFrom('STRING', 'BOOLEAN', 'NUMBER', 'DATE', 'number'),
    values: fc.oneof(fc.array(value, { maxLength: 2 }), value),
    match: fc.constantFrom('ANY', 'ALL', 'SOME'),
  },
  { requiredKeys: ['attribute', 'operator', 'values'] },
);
const condition = fc.oneof(
  comparison,
  fc.array(comparison, { maxLength: 2 }).map((all) => ({ all })),
  fc.array(comparison, { maxLength: 2 }).map((any) => ({ any })),
);
const audience = fc.record(
  {
    entityIds: words,
    entityTypes: words,
    claims: fc.dictionary(fc.constantFrom('$.roles[*]', '$.a', 'roles'), fc.array(value, { maxLength: 2 }), {
      maxKeys: 2,
    }),
  },
  { requiredKeys: [] },
);
const policy = fc.record(
  {
    name: fc.oneof(fc.nat(5).map(String), fc.constantFrom('P', 'x'.repeat(101))),
    scopes: words,
    for: fc.oneof(audience, fc.array(audience, { maxLength: 2 })),
    except: audience,
    assetType: fc.constantFrom('columns', 'accounts'),
    effect: fc.constantFrom('allowed', 'denied', 'maybe'),
    object: word,
    properties: fc.oneof(words, fc.constant('all')),
    action,
    priority: fc.constantFrom<unknown>(1, 0, '007', -1, 'x'),
    when: condition,
    assets: fc.record({ type: word, ids: words }),
    metadata: fc.dictionary(fc.constantFrom('DRY_RUN', 'dry_run', 'owner'), value, { maxKeys: 2 }),
    other: word,
  },
  { requiredKeys: ['name', 'action'] },
);
const rightPolicy = fc.record(
  {
    name: fc.nat(1000).map(String),
    properties: fc.array(fc.constantFrom('a', 'b', 'cards.#.number'), { minLength: 1, maxLength: 2 }),
    action: fc.constantFrom('MASK', 'last(4)', 'remove()'),
    priority: fc.nat(9),
    for: fc.record({ entityTypes: fc.constant(['Agent']) }),
    metadata: fc.constant({ DRY_RUN: 'id' }),
    object: fc.constantFrom('a', 'b'),
  },
  { requiredKeys: ['name', 'properties', 'action'] },
);
/** A policy of which one member is anything. */
const changedPolicy = fc
  .record({ right: rightPolicy, other: policy, keep: fc.nat(20) })
  .map(({ right, other, keep }) => {
    const entries = Object.entries(other);
    return Object.assign(
      {},
      right,
      Object.fromEntries(entries.slice(keep % entries.length, (keep % entries.length) + 1)),
    );
  });
const mapper = fc.dictionary(fc.constantFrom('a', 'b', 'cards.#.number', 'a.a', 'a.b', 'b.a', 'b.b'), word);
const settings = fc.record(
  {
    attrName: fc.constantFrom('column', 'field'),
    assetType: fc.constantFrom('columns', 'fields'),
    tokenValidity: fc.constantFrom<unknown>(0, 300, 60, 1, 'x'),
    trustUnverifiedClaims: fc.constantFrom<unknown>(true, false, true, false, 'yes'),
    maskShort: fc.boolean(),
  },
  { requiredKeys: [] },
);
const mappers = fc.dictionary(fc.constantFrom('columns', 'other'), fc.dictionary(fc.constant('m'), mapper));
/** Most files are right but for one part, if any is wrong. */
const file = fc
  .record({
    settings,
    right: fc.array(rightPolicy, { minLength: 1, maxLength: 3 }),
    other: fc.option(changedPolicy, { nil: undefined }),
    mappers: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, mappers),
  })
  .map(({ settings: some, right, other, mappers: byType }) =>
    Object.assign({}, some, byType && { mappers: byType }, {
      policies: other === undefined ? right : [...right, other],
    }),
  );

function bySchema(text: string) {
  try {
    return { policies: parsePolicyText(text, 'policies.yaml') };
  } catch (error) {
    return { error };
  }
}

describe('a plain policy file is read as the schema reads it', () => {
  test('whatever is in it', () => {
    let read = 0;
    const property = fc.property(file, (written) => {
      const text = stringify(written, { lineWidth: 0, aliasDuplicateObjects: false });
      const plain = plainPolicyFile(text, undefined);
      if (plain === undefined) return;
      read++;
      expect({ policies: plain }).toEqual(bySchema(text));
    });
    fc.assert(property, { numRuns: RUNS });
    expect(read).toBeGreaterThan(RUNS / 5);
  });

  test('as in the demonstration, with the names of its keys', () => {
    const text = readFileSync('examples/policies/demo.yaml', 'utf8');
    expect(plainPolicyFile(text, new Set())).toEqual(parsePolicyText(text, 'demo.yaml'));
  });
});

test.each([
  [
    'has a scope',
    'scopes: [{ clientId: c, clientSecret: s }]\npolicies: [{ name: P, properties: [a], action: MASK }]',
  ],
  [
    'repeats a name',
    'policies: [{ name: P, properties: [a], action: MASK }, { name: P, properties: [b], action: MASK }]',
  ],
  [
    'has a mapper that lacks a name',
    'policies: [{ name: P, properties: [a], action: MASK }]\nmappers: { columns: { m: { b: c } } }',
  ],
  [
    'gives properties and prefixes one name',
    'attrName: a\nobject: a\npolicies: [{ name: P, properties: [a], action: MASK }]',
  ],
])('a file is left to the schema if it %s', (_reason, text) => {
  expect(plainPolicyFile(text, undefined)).toBeUndefined();
});

test('a hash names a key that is configured', () => {
  const text = 'policies: [{ name: P, properties: [a], action: hash(pepper) }]';
  const known = new Set(['pepper']);
  expect(plainPolicyFile(text, new Set(['salt']))).toBeUndefined();
  expect(plainPolicyFile(text, known)).toEqual(policiesFrom(text, {}, known));
});
