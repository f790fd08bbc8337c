import { expect, test } from '@jest/globals';
import { NO_MASK_KEYS } from '../../../../src/core/index.ts';
import { readDecision } from '../../../../src/pdp/decisions/resolution/decision.ts';
import { KnownRules } from '../../../../src/pdp/decisions/resolution/known-rules.ts';
import { decision, literalRule, maskRule } from '../../../support/decision.ts';

const SETTINGS = {
  assetType: 'columns',
  attrName: undefined,
  object: undefined,
  filter: false,
  filterDefault: 'deny',
  protectedObject: undefined,
} as const;

function rulesIn(known: KnownRules, access: readonly object[], settings: object = {}) {
  const bytes = Buffer.from(decision({ access }));
  return readDecision(bytes, { ...SETTINGS, ...settings }, NO_MASK_KEYS, known).properties;
}

/** The rules of entries that came twice, not one time after the other. */
function repeatedIn(known: KnownRules, access: readonly object[]) {
  rulesIn(known, access);
  rulesIn(known, [maskRule('in between')]);
  return rulesIn(known, access);
}

test('a rule that came twice at the same place is not read again', () => {
  const known = new KnownRules();
  const [first, other] = repeatedIn(known, [maskRule('ssn'), literalRule('note', 'a')]);
  const [again, another] = rulesIn(known, [maskRule('ssn'), literalRule('note', 'b')]);
  expect(again).toBe(first);
  expect(another).not.toEqual(other);
});

test('a rule that came once is known in the next decision, and in no later one', () => {
  const known = new KnownRules();
  const [first] = rulesIn(known, [maskRule('ssn')]);
  expect(rulesIn(known, [maskRule('ssn')])[0]).toBe(first);
  rulesIn(known, [maskRule('name')]);
  expect(rulesIn(known, [maskRule('ssn')])[0]).not.toBe(first);
});

test('a decision says whether all of its rules are known', () => {
  const known = new KnownRules();
  const areKnown = (...access: readonly object[]) =>
    readDecision(Buffer.from(decision({ access })), SETTINGS, NO_MASK_KEYS, known).areKnown;
  const met = [1, 2, 3].map(() => areKnown(maskRule('ssn')));
  expect(met).toEqual([false, true, true]);
  expect(areKnown(maskRule('ssn'), maskRule('name'))).toBe(false);
});

test('a rule at another place, under other settings or with other keys is read anew', () => {
  const known = new KnownRules();
  const [first] = repeatedIn(known, [maskRule('ssn')]);
  const [, moved] = rulesIn(known, [maskRule('name'), maskRule('ssn')]);
  expect(moved?.source.place).toEqual(['response', 0, 'access', 1]);
  expect(rulesIn(known, [maskRule('ssn')], { attrName: 'column' })[0]).not.toBe(first);
  expect(rulesIn(known, [maskRule('ssn')], { assetType: 'rows' })).toEqual([]);
  expect(rulesIn(known, [maskRule('ssn')])[0]).toBe(first);
  const bytes = Buffer.from(decision({ access: [maskRule('ssn')] }));
  expect(readDecision(bytes, SETTINGS, new Map(), known).properties[0]).not.toBe(first);
});

test('a decision that was not understood is not understood again', () => {
  const known = new KnownRules();
  const broken = [maskRule('ssn'), { resourceType: 'columns', path: 'a..b', actions: [] }];
  const message =
    'a path that cannot be parsed (an empty property name at character 3 of the path) at /response/0/access/1';
  for (let time = 0; time < 2; time++) expect(() => rulesIn(known, broken)).toThrow(message);
});

test('rules that do not come again are forgotten', () => {
  const known = new KnownRules();
  const [first] = repeatedIn(known, [maskRule('ssn')]);
  for (let round = 0; round < 20; round++)
    repeatedIn(
      known,
      Array.from({ length: 1000 }, (_, index) => literalRule(`f${index}`, `${round}${'x'.repeat(100)}`)),
    );
  expect(rulesIn(known, [maskRule('ssn')])[0]).not.toBe(first);
});

test('rules are kept for some settings, and those of more are forgotten', () => {
  const known = new KnownRules();
  const [first] = repeatedIn(known, [maskRule('ssn')]);
  for (let type = 0; type < 20; type++) rulesIn(known, [maskRule('ssn')], { protectedObject: `type${type}` });
  expect(rulesIn(known, [maskRule('ssn')])[0]).toBe(first);
  for (let type = 0; type < 100; type++)
    rulesIn(known, [maskRule('ssn')], { protectedObject: `type${type}` });
  expect(rulesIn(known, [maskRule('ssn')])[0]).not.toBe(first);
});

test('rules are not kept for settings with long texts, which are not kept either', () => {
  const known = new KnownRules();
  const [first] = repeatedIn(known, [maskRule('ssn')]);
  const long = 'x'.repeat(5000);
  for (let type = 0; type < 100; type++)
    rulesIn(known, [maskRule('ssn')], { protectedObject: `${long}${type}` });
  expect(rulesIn(known, [maskRule('ssn')])[0]).toBe(first);
});
