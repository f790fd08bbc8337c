import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { MAX_NAMES, NO_MASK_KEYS, TOP, parsePath, scan, strictValueAt } from '../../../../src/core/index.ts';
import { readDecision, readDecisionValue } from '../../../../src/pdp/decisions/resolution/decision.ts';
import { NamedAlternatives } from '../../../../src/pdp/decisions/resolution/named-alternatives.ts';
import { decision as decisionText, literalRule, maskRule } from '../../../support/decision.ts';
import { SETTINGS as READ_WITH } from './reading.ts';

const SETTINGS = { ...READ_WITH, protectedObject: 'customer' };

const text = fc.constantFrom(
  'ssn',
  'address.city',
  'rows.#.a',
  '',
  'a..b',
  'last(',
  'é',
  'x"y',
  '1',
  'DRY_RUN',
);
const anything = fc.oneof(
  text,
  fc.constantFrom(null, true, 0, 1.5, {}, []),
  fc.constant({ nested: [{ deep: 1 }] }),
);
/** A member that is most often as it should be. */
function mostly(usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: anything });
}
const OTHERS = ['other', 'AND', 'OR', 'asset-attributes-filter', 'é', 'a"b'];
/** An object that may lack any of its members, and may have others. */
function part(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const usual = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, mostly(value)]));
  const other = fc.option(fc.record({ name: fc.constantFrom(...OTHERS), value: anything }), {
    freq: 6,
    nil: undefined,
  });
  return fc
    .tuple(fc.record(usual, { requiredKeys: [] }), other)
    .map(([known, one]) => Object.assign(known, one && { [one.name]: one.value }));
}
function listOf(one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.array(one, { maxLength: 3 });
}

const texts = fc.oneof(text, listOf(text));
const metadata = fc.oneof(
  part({ DRY_RUN: fc.constantFrom('id', ['id'], ['id', 'x']), note: text }),
  listOf(part({ key: text, value: text })),
);
const policies = listOf(part({ name: text, policyName: text, metadata }));
const action = fc.constantFrom('MASK', 'FILTER', 'first(2)', '1::MASK', 'last(4', 'hello', ' ', '');
const leaf = part({
  attribute: fc.constantFrom('column', 'table', 'status', 'json.mode'),
  operator: fc.constantFrom('EQUALS', 'NOT_IN', 'CONTAINS', 'less', 'LIKE'),
  type: fc.constantFrom('STRING', 'integer', 'DATE', 'OTHER'),
  values: fc.oneof(texts, listOf(fc.constantFrom('1', 2, 2.5, '2020-01-01', true))),
  match: fc.constantFrom('ANY', 'ALL', 'SOME'),
});
/** Alternatives of which each names one property, most often alike. */
const nameLeaf = fc.record(
  {
    attribute: mostly(fc.constant('column')),
    operator: mostly(fc.constant('EQUALS')),
    values: mostly(fc.oneof(text, fc.tuple(text))),
    type: fc.constantFrom('STRING', 'STRING', 'STRING', 'string', 'NUMBER'),
  },
  { requiredKeys: ['attribute', 'operator', 'values'] },
);
const names = fc.array(fc.oneof({ weight: 20, arbitrary: nameLeaf }, { weight: 1, arbitrary: leaf }), {
  maxLength: 4,
});
const tree = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({ OR: names }),
    fc.record({ AND: listOf(tie('tree')) }),
    fc.record({ OR: listOf(tie('tree')) }),
    fc.record({ OR: listOf(tie('tree')), AND: fc.constantFrom(null, []), attribute: fc.constant(null) }),
  ),
})).tree;
const resourceType = fc.constantFrom('columns', 'columns', 'customer', 'other');
const access = part({
  path: fc.oneof(texts, fc.constant(5)),
  resourceType,
  attributes: part({ column: texts, table: texts, label: anything }),
  actions: listOf(
    part({ action, value: fc.oneof(action, fc.constant(3)), policies, accessPolicies: policies }),
  ),
  policies,
});
const privilege = part({
  resourceType,
  actions: listOf(part({ action, value: action, 'asset-attributes-filter': tree, policies })),
  policies,
});
/** What may be next to the response, and must not be `data`. */
const beside = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { data: null },
      { data: {} },
      { data: { response: [] } },
      { tokenValidity: 1 },
    ),
  },
);
const answer = fc
  .record({ access: listOf(access), allowed: listOf(privilege), denied: listOf(privilege), beside })
  .map(({ access: entries, beside: others, ...privileges }) =>
    Object.assign({ response: [{ access: entries, privileges }] }, others),
  );

function outcomeOf(read: () => unknown): unknown {
  try {
    return { rules: plainOf(read()) };
  } catch (error) {
    return { problem: String(error) };
  }
}

/** What matters of rules: functions are left out, and sets are lists. */
function plainOf(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_name, one: unknown) => {
      if (one instanceof Set) return [...one];
      if (one instanceof NamedAlternatives) return { kind: one.kind, of: one.of };
      return typeof one === 'bigint' ? `${one}n` : one;
    }),
  );
}

test('an entry is read from the text as it is read from values, and refused for the same reason', () => {
  fc.assert(
    fc.property(answer, fc.boolean(), (decision, isSpaced) => {
      const bytes = Buffer.from(JSON.stringify(decision, undefined, isSpaced ? 1 : undefined));
      const value = strictValueAt(scan(bytes, 200), TOP);
      expect(outcomeOf(() => readDecision(bytes, SETTINGS))).toEqual(
        outcomeOf(() => readDecisionValue(value, SETTINGS, [], NO_MASK_KEYS)),
      );
    }),
    { numRuns: 1000 },
  );
});

test('a name that occurs twice is refused wherever it is in an entry', () => {
  const member = fc.constantFrom(
    'action',
    'column',
    'values',
    'path',
    'nested',
    'deep',
    'note',
    'other',
    'AND',
  );
  fc.assert(
    fc.property(answer, member, (decision, name) => {
      const json = JSON.stringify(decision);
      fc.pre(json.includes(`"${name}":`));
      const bytes = Buffer.from(json.replace(`"${name}":`, `"${name}":null,"${name}":`));
      expect(outcomeOf(() => readDecision(bytes, SETTINGS))).toHaveProperty('problem');
    }),
    { numRuns: 500 },
  );
});

/** A leaf that names a property. */
function leafOf(name: string): object {
  return { attribute: 'column', operator: 'EQUALS', values: [name] };
}

/** A decision that masks with any of these conditions. */
function maskingFor(leaves: readonly object[]): Buffer {
  const asking = { action: 'MASK', 'asset-attributes-filter': { OR: leaves } };
  const privileges = { allowed: [{ resourceType: 'columns', actions: [asking] }] };
  return Buffer.from(JSON.stringify({ response: [{ privileges }] }));
}

test.each([0, 1, 2])('leaf %i of alternatives that each name one property may have no other member', (at) => {
  const leaves = ['ssn', 'iban', 'note'].map(leafOf);
  const others = leaves.with(at, { ...leaves[at], unless: 'vip' });
  expect(readDecision(maskingFor(leaves), SETTINGS).properties).toHaveLength(1);
  expect(() => readDecision(maskingFor(others), SETTINGS)).toThrow(
    expect.objectContaining({ code: 'decision-not-understood' }),
  );
});

test('alternatives that each name one property ask what one list of the names asks', () => {
  const named = ['ssn', 'a.b', 'rows.#.a'];
  const [rule] = readDecision(maskingFor(named.map(leafOf)), SETTINGS).properties;
  expect(rule?.about).toMatchObject({
    condition: { kind: 'any', names: named.map((name) => parsePath(name)) },
  });
});

/** Scans a text whose names leave no room for those of other texts: the numbers of names begin anew. */
function renumberNames(prefix: string): void {
  const members = Array.from({ length: MAX_NAMES * 2 }, (_, index) => `"${prefix}${index}":1`);
  scan(Buffer.from(`{${members.join(',')}}`), 1);
}

test('an entry is read as before after other texts took the numbers of all names', () => {
  const others = '{"value":1,"actions":1,"policies":1,"path":1,"action":1,"attributes":1,"resourceType":1}';
  const bytes = Buffer.from(decisionText({ access: [maskRule('ssn'), literalRule('note', 'a')] }));
  const before = readDecision(bytes, SETTINGS);
  for (const prefix of ['a', 'b', 'c']) {
    renumberNames(prefix);
    scan(Buffer.from(others), 1);
    expect(readDecision(bytes, SETTINGS)).toEqual(before);
  }
});
