import { writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ConfigurationError, configurationError, type Problem } from '../../../../src/yaml/index.ts';
import { watchPolicyFile, type WatchedPolicies } from '../../../../src/pdp/protocols/embedded/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { mountedPolicies } from '../../../support/mounted-policies.ts';
import { folderWith } from '../../../support/process.ts';
import { createIdentityProvider } from './tokens.ts';
import { closeAll, stopLater } from '../../transport/setup.ts';

afterEach(closeAll);

const text = (name: string): string => `policies: [{ name: ${name}, properties: [a], action: MASK }]`;

interface Watched {
  readonly policies: WatchedPolicies;
  readonly hashes: string[];
  readonly failures: (readonly Problem[])[];
}

function watched(file: string, check?: () => void): Watched {
  const hashes: string[] = [];
  const failures: (readonly Problem[])[] = [];
  const policies = watchPolicyFile(file, {
    ...(check && { check }),
    onLoad: ({ hash }) => hashes.push(hash),
    onFailure: (problems) => failures.push(problems),
    interval: 20,
  });
  stopLater(() => Promise.resolve(policies.close()));
  return { policies, hashes, failures };
}

function nameIn({ policies }: Watched): string | undefined {
  return policies.current.policies[0]?.name;
}

async function policyFile(content: string): Promise<string> {
  return path.join(await folderWith({ 'policies.yaml': content }), 'policies.yaml');
}

describe('a policy file that changes', () => {
  test('is loaded when it is written anew', async () => {
    const file = await policyFile(text('one'));
    const watch = watched(file);
    await writeFile(file, text('two'));
    await eventually(() => nameIn(watch) === 'two');
    expect(new Set(watch.hashes).size).toBe(2);
    expect(watch.failures).toEqual([]);
  });

  test('is loaded when another file takes its place', async () => {
    const file = await policyFile(text('one'));
    const watch = watched(file);
    await writeFile(`${file}.new`, text('two'));
    await rename(`${file}.new`, file);
    await eventually(() => nameIn(watch) === 'two');
    expect(watch.failures).toEqual([]);
  });

  test('is loaded when the ConfigMap that it is mounted from changes, again and again', async () => {
    const { file, replace } = await mountedPolicies(text('one'));
    const watch = watched(file);
    await replace(text('two'));
    await eventually(() => nameIn(watch) === 'two');
    await replace(text('three'));
    await eventually(() => nameIn(watch) === 'three');
    expect(watch.hashes).toHaveLength(3);
  });

  test('changes nothing while it is wrong, and says what is wrong', async () => {
    const file = await policyFile(text('one'));
    const watch = watched(file);
    await writeFile(file, 'policies: [{ name: two, properties: [a] }]');
    await eventually(() => watch.failures.length > 0);
    expect(watch.failures[0]).toMatchObject([{ line: 1, key: expect.stringContaining('action') }]);
    expect(nameIn(watch)).toBe('one');
    await writeFile(file, text('three'));
    await eventually(() => nameIn(watch) === 'three');
    expect(watch.hashes).toHaveLength(2);
  });

  test('changes nothing if what uses it refuses it', async () => {
    const file = await policyFile(text('one'));
    let isRefusing = false;
    const watch = watched(file, () => {
      if (isRefusing) throw configurationError(file, [{ key: 'attrName', message: 'is another' }]);
    });
    isRefusing = true;
    await writeFile(file, text('two'));
    await eventually(() => watch.failures.length > 0);
    expect([nameIn(watch), watch.failures[0]]).toEqual(['one', [{ key: 'attrName', message: 'is another' }]]);
  });

  test('is not loaded while it is being written right after the start', async () => {
    const file = await policyFile(text('one'));
    const watch = watched(file);
    for (const end = performance.now() + 100; performance.now() < end;) writeFileSync(file, text('half'));
    // Timers that became due in the meantime come first.
    await wait(1);
    expect(nameIn(watch)).toBe('one');
    await writeFile(file, text('whole'));
    await eventually(() => nameIn(watch) === 'whole');
  });

  test('is loaded when a key set that it names changes', async () => {
    const [first, second] = await Promise.all([createIdentityProvider(), createIdentityProvider()]);
    const scopes = 'scopes: [{ clientId: a, jwt: { issuer: i, audience: b, jwks: keys.json } }]';
    const files = { 'policies.yaml': `${scopes}\n${text('one')}`, 'keys.json': first.jwks };
    const folder = await folderWith(files);
    const watch = watched(path.join(folder, 'policies.yaml'));
    await writeFile(path.join(folder, 'keys.json'), second.jwks);
    await eventually(() => watch.hashes.length === 2);
    expect(watch.failures).toEqual([]);
  });
});

test('a policy file that is wrong at first is refused', async () => {
  const file = await policyFile('policies: []');
  expect(() => watched(file)).toThrow(ConfigurationError);
});
