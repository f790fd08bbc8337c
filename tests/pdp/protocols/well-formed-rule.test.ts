import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { JsonValue } from '../../../src/core/json/value.ts';
import { parseAnswer } from '../../../src/pdp/decisions/json-answer.ts';
import { abridged, originalPlace } from '../../../src/pdp/decisions/rules-document/abridged.ts';
import { ruleSchema } from '../../../src/pdp/decisions/rules-document/schema.ts';
import { wellFormedRule } from '../../../src/pdp/decisions/rules-document/well-formed.ts';
import { explain } from '../../../src/pdp/policies/explain.ts';

const ASSET_TYPE = 'columns';

/** Texts that mean something somewhere in a rule, right or wrong. */
const words = fc.constantFrom(
  'a',
  'a.b',
  'a..b',
  '#',
  'x*',
  '',
  ' ',
  'all',
  'MASK',
  'mask ',
  'FILTER',
  'last(4)',
  'last(4',
  'round(0)',
  '1::MASK',
  'secret',
  '${entityId}',
  'a${b}',
  'IN',
  'not_in',
  'GREATE',
  'IS',
  'STRING',
  'BOOLEAN',
  'DATE',
  'NUMBER',
  'ANY',
  'ALL',
  'any',
  'true',
  '2026-01-31',
  '2026-13-01',
  '12',
  '1e3',
  'allowed',
  'denied',
  'columns',
  'orders',
  'DRY_RUN',
  'dry_run',
  'hash(key)',
  'value({"a":1})',
  'value({"a":1,"a":2})',
  '$.a',
  '$[',
);
const scalars = fc.oneof(
  words.map((word) => JSON.stringify(word)),
  fc.constantFrom('0', '1', '-1', '1.10', '1e2', '12345678901234567890', 'true', 'false', 'null'),
);
const anything = fc.oneof(
  { weight: 4, arbitrary: scalars },
  { weight: 1, arbitrary: fc.constantFrom('[]', '{}', '[[]]', '{"a":"b"}', '["a",1]') },
);
const listOfAny = fc.array(anything, { maxLength: 3 }).map((list) => `[${list.join()}]`);

/** Members of which every one may be missing, and now and then one has a value of another kind. */
function objectOf(
  members: Readonly<Record<string, fc.Arbitrary<string>>>,
  needed: readonly string[] = Object.keys(members),
): fc.Arbitrary<string> {
  const all = Object.entries(members).map(([name, value]) => {
    const written = fc.oneof({ weight: 30, arbitrary: value }, { weight: 1, arbitrary: anything });
    const member = written.map((one) => `${JSON.stringify(name)}:${one}`);
    const [present, absent] = needed.includes(name) ? [20, 1] : [1, 4];
    return fc.oneof(
      { weight: present, arbitrary: member },
      { weight: absent, arbitrary: fc.constant(undefined) },
    );
  });
  const odd = fc.oneof(
    { weight: 30, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('"wehn":{}', '"__proto__":"x"') },
  );
  return fc.tuple(odd, ...all).map((parts) => `{${parts.filter((part) => part !== undefined).join()}}`);
}

const quoted = (...texts: readonly string[]) => fc.constantFrom(...texts.map((text) => JSON.stringify(text)));
const comparison = objectOf(
  {
    attribute: quoted('a', 'b.c', '#', 'a..b'),
    operator: quoted('EQUALS', 'in', 'GREATER', 'STARTS_WITH', 'NOT_IN', 'IS'),
    type: quoted('STRING', 'BOOLEAN', 'NUMBER', 'DATE', 'string'),
    values: fc.oneof(fc.constantFrom('["x"]', '[1,true]', '1.10', '"x"', '[""]'), listOfAny, anything),
    match: quoted('ANY', 'ALL'),
  },
  ['attribute', 'operator', 'values'],
);
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc
      .tuple(fc.constantFrom('all', 'any'), fc.array(tie('tree'), { maxLength: 3 }))
      .map(([name, parts]) => `{"${name}":[${parts.join()}]}`),
  ),
}));
const rules = objectOf(
  {
    policy: words.map((word) => JSON.stringify(word)),
    assetType: quoted('columns', 'orders', ''),
    effect: quoted('allowed', 'denied'),
    object: quoted('customer', 'a.b', ''),
    properties: fc.oneof(quoted('all'), listOfAny, fc.constant('["a","b.c"]')),
    action: fc.oneof(
      quoted('MASK', 'FILTER', 'last(4)', 'remove()', 'secret', 'hash(key)'),
      objectOf({ name: quoted('SET'), value: anything }),
    ),
    priority: fc.constantFrom(
      '0',
      '7',
      '12345678901234567890',
      '1'.repeat(1000),
      '1'.repeat(1001),
      '-1',
      '1.5',
      '"1"',
    ),
    when: tree,
    assets: objectOf({ type: quoted('Customer'), ids: fc.oneof(quoted('all'), listOfAny) }),
    metadata: objectOf({ DRY_RUN: quoted('id', 'a..b', 'true'), dry_run: quoted('id'), owner: anything }, []),
    dryRun: quoted('id', 'a..b', 'false'),
    maskShort: fc.constantFrom('true', 'false', '"no"'),
  },
  ['properties', 'action'],
);

function parsed(text: string): JsonValue {
  return parseAnswer(Buffer.from(text));
}

function bySchema(written: JsonValue): unknown {
  const result = ruleSchema.safeParse(written);
  if (!result.success) return undefined;
  const { rule, ...others } = result.data;
  return { ...others, rule: { ...rule, assetType: rule.assetType ?? ASSET_TYPE } };
}

function wellFormed(written: JsonValue): unknown {
  const read = wellFormedRule(written, ASSET_TYPE);
  return 'rule' in read ? read.rule : undefined;
}

/** A filter whose comparison is so many levels deep. */
function filterNested(levels: number): JsonValue {
  const leaf = '{"attribute":"a","operator":"IN","values":["x"]}';
  const when = `${'{"all":['.repeat(levels)}${leaf}${']}'.repeat(levels)}`;
  return parsed(`{"action":"FILTER","when":${when}}`);
}

/** Metadata of this name are dropped: that is left to the schema. */
const DROPPED = /"metadata":\{"__proto__"/u;

/** Many of the generated rules must be right, or the comparison shows nothing. */
const LEAST_RIGHT = 100;

describe('a rule of a rules document', () => {
  test('is read at once exactly if the schema accepts it, and as the schema reads it', () => {
    let right = 0;
    fc.assert(
      fc.property(rules, (text) => {
        const written = parsed(text);
        const expected = bySchema(written);
        if (expected !== undefined) right++;
        expect(wellFormed(written)).toEqual(DROPPED.test(text) ? undefined : expected);
      }),
      { numRuns: 6000, seed: 5 },
    );
    expect(right).toBeGreaterThan(LEAST_RIGHT);
  });

  test('is refused for what the schema finds wrong, if only that is left of it', () => {
    let wrong = 0;
    fc.assert(
      fc.property(rules, (text) => {
        const written = parsed(text);
        const read = wellFormedRule(written, ASSET_TYPE);
        if (!('doubtedAt' in read) || bySchema(written) !== undefined) return;
        wrong++;
        const { success, error } = ruleSchema.safeParse(abridged(written, read.doubtedAt));
        expect(success).toBe(false);
        const [issue] = explain(error?.issues ?? []);
        const found = (issue?.place ?? []).map((step) => (typeof step === 'symbol' ? String(step) : step));
        const at = originalPlace(found, read.doubtedAt);
        const all = explain(ruleSchema.safeParse(written).error?.issues ?? []);
        expect(all.map(({ place, message }) => [place.map(String), message])).toContainEqual([
          at.map(String),
          issue?.message,
        ]);
      }),
      { numRuns: 2000, seed: 6 },
    );
    expect(wrong).toBeGreaterThan(LEAST_RIGHT);
  });

  test('has conditions that nest as deeply as the schema allows', () => {
    for (const levels of [0, 1, 63, 64, 65, 90]) {
      const written = filterNested(levels);
      expect([levels, wellFormed(written)]).toEqual([levels, bySchema(written)]);
    }
  });
});
