import { expect, test } from '@jest/globals';
import type { FilterRule, Rules } from '../../src/core/index.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import type { Decision } from '../../src/enforcement/question.ts';
import { Plans } from '../../src/enforcement/plans.ts';
import type { IntentSettings } from '../../src/enforcement/settings.ts';
import { KnownRules } from '../../src/pdp/decisions/resolution/known-rules.ts';
import { decision, literalRule, maskRule } from '../support/decision.ts';

const SETTINGS: IntentSettings = {
  assetType: 'columns',
  attrName: undefined,
  object: undefined,
  filter: false,
  filterDefault: 'deny',
  protectedObject: undefined,
  maskString: '***',
  maskShort: false,
};

const FRAME = { isJsonNamed: true, rootWord: undefined };

function decisionOf(entries: number, name = 'field'): Decision {
  const access = Array.from({ length: entries }, (_, index) => maskRule(`${name}${index}`));
  return decisionFrom(Buffer.from(decision({ access })), SETTINGS);
}

const FILTER: FilterRule = {
  source: { place: ['response'], action: 'FILTER', priority: undefined, effect: 'allowed' },
  policies: [],
  effect: 'allow',
  assetIds: undefined,
  condition: { kind: 'all', of: [] },
};

/** A decision that says its own number. */
function numbered(number: number, known: KnownRules, ...access: readonly object[]): Decision {
  const bytes = Buffer.from(`{"number":${number},${decision({ access }).slice(1)}`);
  return decisionFrom(bytes, SETTINGS, undefined, known);
}

test('a decision of thousands of entries is compiled once', () => {
  const plans = new Plans();
  const large = decisionOf(5000);
  expect(large.fingerprint.length).toBeGreaterThan(256 * 1024);
  const first = plans.compile(large, SETTINGS, FRAME);
  plans.compile(decisionOf(1), SETTINGS, FRAME);
  expect(plans.compile(decisionOf(5000), SETTINGS, FRAME)).toBe(first);
});

test('large decisions are forgotten when others need their room', () => {
  const plans = new Plans();
  const first = plans.compile(decisionOf(10_000), SETTINGS, FRAME);
  for (const name of ['a', 'b', 'c', 'd', 'e']) plans.compile(decisionOf(10_000, name), SETTINGS, FRAME);
  expect(plans.compile(decisionOf(10_000), SETTINGS, FRAME)).not.toBe(first);
});

test('decisions that differ in what is not enforced share a plan, and do not crowd out others', () => {
  const plans = new Plans();
  const known = new KnownRules();
  const other = plans.compile(decisionOf(1, 'other'), SETTINGS, FRAME);
  const [, first] = [0, 1].map((number) =>
    plans.compile(numbered(number, known, maskRule('ssn')), SETTINGS, FRAME),
  );
  for (let number = 2; number < 200; number++)
    expect(plans.compile(numbered(number, known, maskRule('ssn')), SETTINGS, FRAME)).toBe(first);
  expect(plans.compile(decisionOf(1, 'other'), SETTINGS, FRAME)).toBe(other);
});

test('kinds of users whose decisions alternate keep their plans, though no decision comes twice', () => {
  const plans = new Plans();
  const known = new KnownRules();
  const names = ['a', 'b', 'c', 'd'];
  const compiledAll = (round: number) =>
    names.map((name, kind) =>
      plans.compile(numbered(round * names.length + kind, known, maskRule(name)), SETTINGS, FRAME),
    );
  for (let round = 0; round < 3; round++) compiledAll(round);
  const settled = compiledAll(3);
  const next = compiledAll(4);
  for (const [kind, compiled] of next.entries()) expect(compiled).toBe(settled[kind]);
});

test('a plan whose rules never came before is forgotten after two others, until it comes again', () => {
  const plans = new Plans();
  const first = plans.compile(decisionOf(1, 'a'), SETTINGS, FRAME);
  for (const name of ['b', 'c']) plans.compile(decisionOf(1, name), SETTINGS, FRAME);
  const again = plans.compile(decisionOf(1, 'a'), SETTINGS, FRAME);
  expect(again).not.toBe(first);
  for (const name of ['d', 'e', 'f']) plans.compile(decisionOf(1, name), SETTINGS, FRAME);
  expect(plans.compile(decisionOf(1, 'a'), SETTINGS, FRAME)).toBe(again);
});

test('decisions that differ in a rule, or in the settings that they are read with, have plans of their own', () => {
  const plans = new Plans();
  const known = new KnownRules();
  const first = plans.compile(numbered(0, known, maskRule('ssn')), SETTINGS, FRAME);
  const literal = numbered(0, known, literalRule('ssn', 'x'));
  const two = numbered(0, known, maskRule('ssn'), maskRule('ssn'));
  for (const another of [literal, two]) expect(plans.compile(another, SETTINGS, FRAME)).not.toBe(first);
  const masks = { ...SETTINGS, maskString: '#' };
  expect(plans.compile(numbered(1, known, maskRule('ssn')), masks, FRAME)).not.toBe(first);
});

test.each<[string, Partial<Rules>]>([
  ['its masks', { properties: decisionOf(1, 'other').rules.properties }],
  ['its filters', { filters: [FILTER] }],
  ['its filterDefault', { filterDefault: 'allow' }],
  ['its maskShort', { maskShort: true }],
  ['what it says of idle filters', { hasIdleFilters: true }],
])('a decision of known rules has another plan if only %s differ', (_what, others) => {
  const plans = new Plans();
  const rules = { ...decisionOf(1).rules, areKnown: true };
  const first = plans.compile({ rules, fingerprint: Buffer.from('1') }, SETTINGS, FRAME);
  const same = { rules: { ...rules }, fingerprint: Buffer.from('2') };
  expect(plans.compile(same, SETTINGS, FRAME)).toBe(first);
  const other = { ...rules, ...others };
  expect(plans.compile({ rules: other, fingerprint: Buffer.from('3') }, SETTINGS, FRAME).rules).toBe(other);
});

test('a decision of known rules has another plan if it is read with other settings', () => {
  const plans = new Plans();
  const rules = { ...decisionOf(1).rules, areKnown: true };
  const first = plans.compile({ rules, fingerprint: Buffer.from('1') }, SETTINGS, FRAME);
  const masks = { ...SETTINGS, maskString: '#' };
  expect(plans.compile({ rules, fingerprint: Buffer.from('2') }, masks, FRAME)).not.toBe(first);
  expect(plans.compile({ rules, fingerprint: Buffer.from('3') }, SETTINGS, FRAME)).toBe(first);
});

test.each(Object.keys(SETTINGS))('a decision has another plan if only %s is another', (name) => {
  const plans = new Plans();
  const one = decisionOf(1);
  const first = plans.compile(one, SETTINGS, FRAME);
  expect(plans.compile(one, { ...SETTINGS }, { ...FRAME })).toBe(first);
  expect(plans.compile(one, { ...SETTINGS, [name]: 'another' }, FRAME)).not.toBe(first);
});

test.each(Object.keys(FRAME))('a decision has another plan if only %s of its frame is another', (name) => {
  const plans = new Plans();
  const one = decisionOf(1);
  const first = plans.compile(one, SETTINGS, FRAME);
  expect(plans.compile(one, SETTINGS, { ...FRAME, [name]: 'another' })).not.toBe(first);
});

test('decisions whose fingerprints have the same length and hash have plans of their own', () => {
  const plans = new Plans();
  const [one, other] = ['aaaabbbb', 'cbbb`aaa'].map((begin, at) => ({
    rules: decisionOf(1, `field${at}`).rules,
    fingerprint: Buffer.from(begin.padEnd(16, '.')),
  }));
  if (one === undefined || other === undefined) throw new Error('there are two');
  for (const { rules, fingerprint } of [one, other, one, other])
    expect(plans.compile({ rules, fingerprint }, SETTINGS, FRAME).rules).toBe(rules);
});

test('a fingerprint whose bytes become others is another one', () => {
  const plans = new Plans();
  const fingerprint = Buffer.from('one');
  plans.compile({ rules: decisionOf(1).rules, fingerprint }, SETTINGS, FRAME);
  fingerprint.set(Buffer.from('two'));
  const { rules } = decisionOf(1, 'other');
  expect(plans.compile({ rules, fingerprint }, SETTINGS, FRAME).rules).toBe(rules);
});

test('a decision that is too large to be kept is compiled each time', () => {
  const plans = new Plans();
  const { rules } = decisionOf(1);
  const [first, second] = [0, 1].map(() =>
    plans.compile({ rules, fingerprint: Buffer.alloc(3 * 1024 * 1024) }, SETTINGS, FRAME),
  );
  expect(second).not.toBe(first);
});

test('a decision has another plan if what it does is explained', () => {
  const plans = new Plans();
  const one = decisionOf(1);
  const [plain, explained] = [false, true].map((isExplained) =>
    plans.compile(one, SETTINGS, FRAME, isExplained),
  );
  expect(explained).not.toBe(plain);
});

test('decisions with the same masks and other filters, of which all were known, keep their own', () => {
  const plans = new Plans();
  const known = new KnownRules();
  const settings = { ...SETTINGS, filter: true };
  for (const [number, country] of ['US', 'US', 'CA', 'CA', 'US', 'CA'].entries()) {
    const condition = { attribute: 'country', operator: 'EQUALS', values: [country] };
    const action = { action: 'FILTER', 'asset-attributes-filter': condition };
    const allowed = [{ resourceType: 'columns', actions: [action] }];
    const text = `{"number":${number},${decision({ access: [maskRule('ssn')], allowed }).slice(1)}`;
    const one = decisionFrom(Buffer.from(text), settings, undefined, known);
    const { rules } = plans.compile(one, settings, FRAME);
    expect(rules.filters).toEqual(one.rules.filters);
  }
});

test('a decision that masks the whole record has paths of its own, also after one without properties', () => {
  const plans = new Plans();
  expect(plans.compile(decisionOf(0), SETTINGS, FRAME).plan.top).toBeUndefined();
  const whole = decisionFrom(Buffer.from(decision({ access: [maskRule('$')] })), SETTINGS);
  expect(plans.compile(whole, SETTINGS, FRAME).plan.top).toBeDefined();
});
