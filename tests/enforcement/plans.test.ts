import { expect, test } from '@jest/globals';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import type { Decision } from '../../src/enforcement/question.ts';
import { Plans } from '../../src/enforcement/plans.ts';
import type { IntentSettings } from '../../src/enforcement/settings.ts';
import { decision, maskRule } from '../support/decision.ts';

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
