import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(path.join(tmpdir(), 'garbage-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CALLS = 15_000;
const LIBRARY = path.resolve('src/library.ts');

/** Prints by how many bytes the space of the old objects grows with so many calls. */
const SCRIPT = `
import { getHeapSpaceStatistics } from 'node:v8';
import { createEnforcer } from ${JSON.stringify(LIBRARY)};
const old = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size;
const enforcer = await createEnforcer({ policyFile: process.argv[2] });
const run = async (calls) => {
  for (let i = 0; i < calls; i++) await enforcer.enforce({ json: '{"ssn":"123","name":"ann"}' });
};
await run(1000);
const before = old();
await run(${CALLS});
console.log(old() - before);
await enforcer.close();
`;

/** V8 keeps less alive in code that it has optimized; most code is not when a service starts. */
const FLAGS = ['--no-opt', '--no-maglev', '--max-semi-space-size=1', '--no-warnings'];

test('a call leaves nothing behind that only a full collection frees', async () => {
  const script = path.join(folder, 'calls.mjs');
  const policies = path.join(folder, 'policies.yaml');
  writeFileSync(script, SCRIPT);
  writeFileSync(policies, 'policies: [{ name: a, properties: [ssn], action: MASK }]');
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, script, policies]);
  expect(Number(stdout)).toBeLessThan(100 * CALLS);
});
