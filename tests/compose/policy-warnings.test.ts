import { expect, test } from '@jest/globals';
import { warningsAbout, warningsWith } from '../../src/compose/policy-warnings.ts';
import { parseConfiguration } from '../../src/config/load.ts';
import type { PolicyFile } from '../../src/pdp/index.ts';
import { policiesFrom } from '../pdp/protocols/embedded/ask.ts';
import { loggerInMemory } from '../telemetry/log/memory-sink.ts';

/** The entries that all warnings about policies make. */
async function warned(policies: PolicyFile): Promise<readonly unknown[]> {
  const configuration = parseConfiguration('port: 0\npdpUrl: pdp:1\n', { file: 'config.yaml' });
  const { logger, sink } = loggerInMemory();
  for (const warn of [...warningsAbout(policies), ...warningsWith(configuration, policies)]) warn(logger);
  await logger.close();
  return sink.lines.map((line): unknown => JSON.parse(line));
}

/** As many policies with other names. */
function policiesOf(count: number, members: string): PolicyFile {
  const policies = Array.from(
    { length: count },
    (_, i) => `{ name: P${i}, ${members.replaceAll('{}', `${i}`)} }`,
  );
  return policiesFrom(`policies: [${policies.join(', ')}]`);
}

const MASKED = 'properties: [p{}], action: MASK';
const ORDERED = `${MASKED}, when: { attribute: age, operator: LESS, values: [18] }`;
const NAMES = Array.from({ length: 10 }, (_, i) => `P${i}`);

test('a policy file in which nothing is doubtful has no warnings', async () => {
  expect(await warned(policiesOf(3, MASKED))).toEqual([]);
});

test.each([
  'operator: EQUALS, values: [18]',
  'operator: LESS, values: [m]',
  'operator: LESS, values: [18, m]',
  'operator: LESS, type: INTEGER, values: [18]',
])('a condition has no warning if it orders no numbers as texts: %s', async (condition) => {
  expect(await warned(policiesOf(1, `${MASKED}, when: { attribute: age, ${condition} }`))).toEqual([]);
});

test.each([
  [ORDERED, { message: expect.stringMatching(/^Policies compare numbers as texts/u), policies: NAMES }],
  [
    `${MASKED}, for: { entityTypes: [all] }`,
    {
      message: expect.stringMatching(/^Policies have texts/u),
      texts: NAMES.map((name) => expect.stringMatching(new RegExp(`^${name}: all is an id or a type`, 'u'))),
    },
  ],
  ['action: FILTER', { message: expect.stringMatching(/^FILTER policies do nothing/u), policies: NAMES }],
])('a warning names the first ten policies: %s', async (members, warning) => {
  expect(await warned(policiesOf(12, members))).toMatchObject([{ level: 'warn', ...warning }]);
});

test('a warning names policies that never apply, with those that come first', async () => {
  expect(await warned(policiesOf(12, 'properties: [a], action: MASK'))).toMatchObject([
    {
      level: 'warn',
      message: 'Policies never apply, because others change the same properties first',
      policies: Array.from({ length: 10 }, (_, i) => `P${i + 1}: P0`),
    },
  ]);
});

test('a warning names the first ten asset types of the policies if none is that of the configuration', async () => {
  expect(await warned(policiesOf(12, `${MASKED}, assetType: t{}`))).toMatchObject([
    {
      level: 'warn',
      message: expect.stringMatching(/^No policy is for the asset type/u),
      assetType: 'columns',
      assetTypesOfPolicies: Array.from({ length: 10 }, (_, i) => `t${i}`),
    },
  ]);
});
