import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import type { Policy } from '../../src/pdp/policies/index.ts';
import { parsePolicyText } from '../../src/pdp/protocols/embedded/policy-file/load.ts';
import { temporaryFolder } from './support/folder.ts';
import { refusal, render, type Rendering } from './support/helm.ts';
import { policiesIn, theOnly } from './support/manifest.ts';
import { describeChart } from './support/tools.ts';

/** Words of YAML that the service reads as text, and Helm as something else, or that look as if it did. */
const WORDS = `
  NO no No Off off ON on y Y n N yes TRUE False true false 00123 0o17 0x1F 0b1 1_000 1.10 1e3 +1 .5 5.
  0 7 -0 -1 010 9007199254740991 9007199254740993 12345678901234567890 0.1 1.0 08 1__0 1e-7 1:30
  12:30:45 190:20:30 2026-01-01 2026-01-01T00:00:00Z 21:59:43.10 = é DE
`
  .trim()
  .split(/\s+/u);

/** What takes a word in a policy, as YAML with `%` in its place. */
const PLACES = [
  'when: { attribute: a, operator: EQUALS, values: [%] }',
  'when: { attribute: a, operator: NOT_EQUALS, values: % }',
  'when: { attribute: a, operator: EQUALS, type: STRING, values: [%] }',
  'when: { attribute: a, operator: CONTAINS, values: [%] }',
  'when: { attribute: a, operator: STARTS_WITH, type: NUMBER, values: [%] }',
  'when: { attribute: a, operator: EQUALS, type: NUMBER, values: [%] }',
  'when: { attribute: a, operator: LESS, type: INTEGER, values: % }',
  'when: { attribute: a, operator: EQUALS, type: DATE, values: [%] }',
  'when: { any: [{ all: [{ attribute: a, operator: IN, values: [x, %] }] }] }',
  'for: { claims: { $.a: [%] } }',
  'for: { entityIds: [%] }',
  'except: [{ entityTypes: [%] }]',
  'assets: { type: t, ids: [%] }',
  'assetType: %',
  'object: %',
  'metadata: { note: % }',
];

/** Policies as YAML, each with one word in one place. */
function policiesWith(words: readonly string[]): readonly string[] {
  const written = PLACES.flatMap((place) => words.map((word) => place.replace('%', word)));
  return written.map((more, at) => `  - { name: p${at}, properties: [ssn], action: MASK, ${more} }\n`);
}

function policyFile(policies: readonly string[]): string {
  return `policies:\n${policies.join('')}`;
}

/** Nothing that Node.js could write: as YAML, in the words of whoever wrote the file. */
function renderingOf(policies: readonly string[]): Rendering {
  const file = path.join(temporaryFolder(), 'policies.yaml');
  writeFileSync(file, `policies:\n${policyFile(policies).replaceAll(/^/gmu, '  ')}`);
  return { flags: ['--values', file] };
}

function isTaken(policy: string): boolean {
  return !lodash.isError(lodash.attempt(() => parsePolicyText(policyFile([policy]), 'policies.yaml')));
}

/** The places of the policies that Helm refuses. */
function refusedOf(policies: readonly string[]): ReadonlySet<number> {
  const places = refusal(CONFIGURED, renderingOf(policies)).matchAll(/\/policies\/policies\/(?<at>\d+)/gu);
  return new Set(places.map(({ groups }) => Number(groups?.['at'])));
}

const CONFIGURED = { config: { port: 5002, attrName: 'column', object: 'table' } };

/** The policies that the service reads in what Helm renders. */
function rendered(policies: readonly string[]): readonly Policy[] {
  const map = theOnly(render(CONFIGURED, renderingOf(policies)), 'ConfigMap');
  return parsePolicyText(policiesIn(map), 'policies.yaml').policies;
}

function read(policies: readonly string[]): readonly Policy[] {
  return parsePolicyText(policyFile(policies), 'policies.yaml').policies;
}

/** Numbers are compared as such: `1.10` is 1.1, and `-0` is 0. */
function comparable(policy: Policy): unknown {
  const { when } = policy;
  if (when === undefined || !('type' in when) || !['NUMBER', 'INTEGER'].includes(when.type)) return policy;
  return when.operator === 'STARTS_WITH'
    ? policy
    : { ...policy, when: { ...when, values: when.values.map((value) => Number(value) + 0) } };
}

describeChart('A word of a policy that YAML may read as a number, a flag or a date', () => {
  it('is what it is without Helm, or is refused, wherever it is', () => {
    const policies = policiesWith(WORDS).filter(isTaken);
    const refused = refusedOf(policies);
    const changed = policies.filter((_policy, at) => refused.has(at));
    const kept = lodash.difference(policies, changed);
    expect(rendered(kept).map(comparable)).toEqual(read(kept).map(comparable));
    // Of each place but those for numbers and dates.
    expect(changed.filter((policy) => /\bNO\b/u.test(policy))).toHaveLength(PLACES.length - 3);
    expect(changed.filter((policy) => policy.includes('00123')).length).toBeGreaterThan(10);
    expect(kept.filter((policy) => policy.includes('DE')).length).toBeGreaterThan(10);
  });

  it('is what it is in quotes', () => {
    const policies = policiesWith(
      ['NO', 'true', '00123', '1.10', '2026-01-01'].map((word) => `"${word}"`),
    ).filter(isTaken);
    expect(rendered(policies)).toEqual(read(policies));
    expect(policies.length).toBeGreaterThan(60);
  });
});
