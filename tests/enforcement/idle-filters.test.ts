import { expect, test } from '@jest/globals';
import { GivenWarnings, enforce, intentFrom } from '../../src/enforcement/index.ts';
import type { EnforcementSettings } from '../../src/enforcement/settings.ts';
import { KnownRules } from '../../src/pdp/decisions/index.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { decision, maskRule } from '../support/decision.ts';
import { portsOn, SETTINGS } from './ports.ts';

const IDLE = 'FILTER rules of the PDP do nothing: filter is not true';
const FILTER_ENTRY = { path: 'x', resourceType: 'columns', actions: [{ action: 'FILTER' }] };
const FILTERS = {
  allowed: decision({ allowed: [FILTER_ENTRY] }),
  denied: decision({ denied: [FILTER_ENTRY] }),
  asset: decision({
    access: [{ path: '7', resourceType: 'customer', actions: [{ action: 'FILTER' }] }],
  }),
};
const CONTEXT = { calculationType: 'context', protectedObject: 'customer', assetId: 'x' };
const NO_FILTER = decision({ access: [maskRule('ssn')], allowed: [maskRule('name')] });

/** What the log of one service says while it enforces these decisions, one after the other. */
async function warningsOf(
  decisions: readonly string[],
  parameters: object = {},
  configured: Partial<EnforcementSettings> = {},
): Promise<readonly string[]> {
  const given: string[] = [];
  const known = new KnownRules();
  const log = { info: () => undefined, warn: (message: string) => void given.push(message) };
  const warnings = new GivenWarnings();
  for (const text of decisions) {
    const decide: Parameters<typeof portsOn>[0]['decide'] = ({ settings, keys }) =>
      Promise.resolve(decisionFrom(Buffer.from(text), settings, keys, known));
    const settings = { ...SETTINGS, ...configured };
    const ports = { ...portsOn({ decide }), settings, log, warnings };
    const intent = {
      ...intentFrom({ vendor: '{}', parameters: JSON.stringify(parameters) }, 4),
      headers: [],
    };
    // oxlint-disable-next-line no-await-in-loop -- one after the other is what is asked for
    await enforce(Buffer.from('[{"ssn":"1","x":"2"}]'), intent, ports);
  }
  return given;
}

test.each(Object.entries(FILTERS))(
  'a rule that filters is named once if it does nothing: %s',
  async (kind, text) => {
    const parameters = kind === 'asset' ? CONTEXT : {};
    expect(await warningsOf([NO_FILTER, text, text, text], parameters)).toEqual([IDLE]);
  },
);

test('nothing is said if a request switches filtering off or on, or no rule filters', async () => {
  const all = Object.values(FILTERS);
  expect(await warningsOf(all, { filter: false })).toEqual([]);
  expect(await warningsOf(all, { filter: true })).toEqual([]);
  expect(await warningsOf([NO_FILTER, NO_FILTER])).toEqual([]);
});

test('that all records are kept is said each time if no rule filters, and filterDefault allows that', async () => {
  const kept = 'No FILTER rule allows records: keeping all that none denies (filterDefault: allow)';
  const decisions = [NO_FILTER, FILTERS.denied, FILTERS.allowed];
  expect(await warningsOf(decisions, { filter: true }, { filterDefault: 'allow' })).toEqual([kept, kept]);
  expect(await warningsOf(decisions, { filter: true }, { filterDefault: 'deny' })).toEqual([]);
  expect(await warningsOf(decisions, { filter: false }, { filterDefault: 'allow' })).toEqual([]);
});
