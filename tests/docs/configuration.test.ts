import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { parseConfiguration } from '../../src/config/load.ts';
import { loadConfiguration } from '../../src/config/open.ts';
import { loadPolicyFile } from '../../src/pdp/protocols/embedded/policy-file/load.ts';
import { fencesIn } from './markdown.ts';

const PAGES = ['README.md', 'CONTRIBUTING.md', 'docs/enforcement.md', 'docs/pdp-contract.md'];
const settings = z.record(z.string(), z.unknown());

const blocks = PAGES.flatMap((page) =>
  fencesIn(readFileSync(page, 'utf8'))
    .filter(({ info }) => info.startsWith('yaml'))
    .map(({ info, line, text }) => ({ page, info, line, text })),
);

describe('the configuration in the documentation', () => {
  test.each(blocks)('is marked as such in $page, line $line', ({ info }) => {
    expect(info).toBe('yaml configuration');
  });

  test.each(blocks)('is accepted by the service in $page, line $line', ({ text }) => {
    const needed = { port: 5002, ...(text.includes('policyFile') ? {} : { pdpUrl: 'localhost:8080' }) };
    const whole = stringify({ ...needed, ...settings.parse(parse(text)) });
    expect(() => parseConfiguration(whole, { file: 'config.yaml' })).not.toThrow();
  });
});

test('the sample configuration and the policies that it names are accepted by the service', async () => {
  const { policyFile, port } = await loadConfiguration('examples/config.yaml');
  expect(port).toBe(5002);
  expect(loadPolicyFile(policyFile ?? '').policies.length).toBeGreaterThan(0);
});
