import { execFileSync, spawn } from 'node:child_process';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ConfigurationError, configurationError, type Problem } from '../../../../src/yaml/index.ts';
import { watchPolicyFile, type WatchedPolicies } from '../../../../src/pdp/protocols/embedded/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { NO_FILES } from '../../../support/no-files.ts';
import { mountedPolicies } from '../../../support/mounted-policies.ts';
import { folderWith } from '../../../support/folder.ts';
import { createIdentityProvider } from './tokens.ts';
import { closeAll, stopLater } from '../../transport/setup.ts';

afterEach(closeAll);

const text = (name: string): string => `policies: [{ name: ${name}, properties: [a], action: MASK }]`;

interface Watched {
  readonly policies: WatchedPolicies;
  readonly hashes: string[];
  readonly failures: (readonly Problem[])[];
}

async function watched(file: string, check?: () => void): Promise<Watched> {
  const hashes: string[] = [];
  const failures: (readonly Problem[])[] = [];
  const policies = await watchPolicyFile(file, {
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
    const watch = await watched(file);
    await writeFile(file, text('two'));
    await eventually(() => nameIn(watch) === 'two');
    expect(new Set(watch.hashes).size).toBe(2);
    expect(watch.failures).toEqual([]);
  });

  test('is loaded when another file takes its place', async () => {
    const file = await policyFile(text('one'));
    const watch = await watched(file);
    await writeFile(`${file}.new`, text('two'));
    await rename(`${file}.new`, file);
    await eventually(() => nameIn(watch) === 'two');
    expect(watch.failures).toEqual([]);
  });

  test('is loaded when the ConfigMap that it is mounted from changes, again and again', async () => {
    const { file, replace } = await mountedPolicies(text('one'));
    const watch = await watched(file);
    await replace(text('two'));
    await eventually(() => nameIn(watch) === 'two');
    await replace(text('three'));
    await eventually(() => nameIn(watch) === 'three');
    expect(watch.hashes).toHaveLength(3);
  });

  test('changes nothing while it is wrong, and says what is wrong', async () => {
    const file = await policyFile(text('one'));
    const watch = await watched(file);
    await writeFile(file, 'policies: [{ name: two, properties: [a] }]');
    await eventually(() => watch.failures.length > 0);
    expect(watch.failures[0]).toMatchObject([{ line: 1, key: expect.stringContaining('action') }]);
    expect(nameIn(watch)).toBe('one');
    await writeFile(file, text('three'));
    await eventually(() => nameIn(watch) === 'three');
    expect(watch.hashes).toHaveLength(2);
  });

  test('says so when a wrong version is undone', async () => {
    const file = await policyFile(text('one'));
    const watch = await watched(file);
    await writeFile(file, 'policies: [');
    await eventually(() => watch.failures.length > 0);
    await writeFile(file, text('one'));
    await eventually(() => watch.hashes.length === 2);
    expect(new Set(watch.hashes).size).toBe(1);
  });

  test('changes nothing if what uses it refuses it', async () => {
    const file = await policyFile(text('one'));
    let isRefusing = false;
    const watch = await watched(file, () => {
      if (isRefusing) throw configurationError(file, [{ key: 'attrName', message: 'is another' }]);
    });
    isRefusing = true;
    await writeFile(file, text('two'));
    await eventually(() => watch.failures.length > 0);
    expect([nameIn(watch), watch.failures[0]]).toEqual(['one', [{ key: 'attrName', message: 'is another' }]]);
  });

  test('is not loaded at first while it is being written', async () => {
    const file = await policyFile(text('half'));
    const opening = watched(file);
    await writeFile(file, text('whole'));
    expect([nameIn(await opening), (await opening).hashes.length]).toEqual(['whole', 1]);
  });

  test('is not loaded at first while a key set that it names is being written', async () => {
    const [first, second] = await Promise.all([createIdentityProvider(), createIdentityProvider()]);
    const files = { 'policies.yaml': `${SCOPES}\n${text('one')}`, 'keys.json': first.jwks };
    const folder = await folderWith(files);
    const [file, keys] = [path.join(folder, 'policies.yaml'), path.join(folder, 'keys.json')];
    const writing = setInterval(() => writeFileSync(keys, first.jwks), 10);
    const opening = watched(file);
    await wait(1000);
    clearInterval(writing);
    writeFileSync(keys, second.jwks);
    expect((await opening).hashes).toEqual((await watched(file)).hashes);
  });

  test('is not refused at first because a key set that it names is half written', async () => {
    const { jwks } = await createIdentityProvider();
    const half = jwks.slice(0, jwks.length / 2);
    const folder = await folderWith({ 'policies.yaml': `${SCOPES}\n${text('one')}`, 'keys.json': half });
    const opening = watched(path.join(folder, 'policies.yaml'));
    await writeFile(path.join(folder, 'keys.json'), jwks);
    expect(nameIn(await opening)).toBe('one');
  });

  test('is loaded at first if the clock of its file system is fast', async () => {
    const { jwks } = await createIdentityProvider();
    const folder = await folderWith({ 'policies.yaml': `${SCOPES}\n${text('one')}`, 'keys.json': jwks });
    const file = path.join(folder, 'policies.yaml');
    const later = Date.now() / 1000 + 3600;
    await Promise.all([file, path.join(folder, 'keys.json')].map((one) => utimes(one, later, later)));
    expect(nameIn(await watched(file))).toBe('one');
  });

  test('is read again if another file takes its place while it is read at first', async () => {
    const folder = await folderWith({ one: text('one'), two: text('two') });
    const file = path.join(folder, 'policies.yaml');
    symlinkSync('one', file);
    symlinkSync('two', `${file}.new`);
    // Both files are written long ago: only what the link names is another.
    await wait(500);
    let reads = 0;
    const watch = await watched(file, () => void (reads++ === 0 && renameSync(`${file}.new`, file)));
    expect([nameIn(watch), watch.hashes.length]).toEqual(['two', 1]);
  });

  test('may be a pipe at first', async () => {
    const file = await policyFile(text('one'));
    execFileSync('mkfifo', [`${file}.pipe`]);
    const writer = spawn('sh', ['-c', 'cat "$1" > "$1.pipe"', 'sh', file]);
    stopLater(async () => void writer.kill());
    expect(nameIn(await watched(`${file}.pipe`))).toBe('one');
  });

  test('changes nothing if what uses it fails, and says so', async () => {
    const file = await policyFile(text('one'));
    let isFailing = false;
    const watch = await watched(file, () => {
      if (isFailing) throw new TypeError('a value that nobody expected');
    });
    isFailing = true;
    await writeFile(file, text('two'));
    await eventually(() => watch.failures.length > 0);
    expect([nameIn(watch), watch.failures[0]]).toEqual([
      'one',
      [{ key: '', message: 'cannot be read: the reader failed' }],
    ]);
  });

  test('is not loaded if another version takes its place while it is read', async () => {
    const file = await policyFile(text('one'));
    let isReplacing = false;
    const watch = await watched(file, () => {
      if (isReplacing) writeFileSync(file, text('three'));
      isReplacing = false;
    });
    isReplacing = true;
    await writeFile(file, text('two'));
    await eventually(() => nameIn(watch) === 'three');
    expect(watch.hashes).toHaveLength(2);
  });

  test('is not loaded again when it is written as it was', async () => {
    const file = await policyFile(text('one'));
    let reads = 0;
    const watch = await watched(file, () => void reads++);
    const first = reads;
    await writeFile(file, text('one'));
    await eventually(() => reads > first);
    await writeFile(file, 'policies: [');
    await eventually(() => watch.failures.length > 0);
    await writeFile(file, text('one'));
    await eventually(() => watch.hashes.length === 2);
    const undone = reads;
    await writeFile(file, text('one'));
    await eventually(() => reads > undone);
    await watched(file);
    expect(watch.hashes).toHaveLength(2);
  });

  test('changes nothing if it is let go of while it is read', async () => {
    const file = await policyFile(text('one'));
    let isLeaving = false;
    let isClosed = false;
    const watch = await watched(file, () => {
      if (!isLeaving) return;
      watch.policies.close();
      isClosed = true;
    });
    isLeaving = true;
    await writeFile(file, text('two'));
    await eventually(() => isClosed);
    await watched(file);
    expect(nameIn(watch)).toBe('one');
  });

  test('is read no more when it is let go of, also if it has named another key set since', async () => {
    const { jwks } = await createIdentityProvider();
    const folder = await folderWith({ 'policies.yaml': text('one'), 'keys.json': jwks });
    const file = path.join(folder, 'policies.yaml');
    let reads = 0;
    const watch = await watched(file, () => void reads++);
    const other = await watched(file);
    await writeFile(file, `${SCOPES}\n${text('two')}`);
    await eventually(() => nameIn(watch) === 'two');
    watch.policies.close();
    const readsBefore = reads;
    await writeFile(file, text('three'));
    await eventually(() => nameIn(other) === 'three');
    await writeFile(file, text('four'));
    await eventually(() => nameIn(other) === 'four');
    expect(reads).toBe(readsBefore);
  });

  test.each(NO_FILES)('changes nothing when %s takes its place', async (_, replace, reason) => {
    const file = await policyFile(text('one'));
    const watch = await watched(file);
    rmSync(file);
    replace(file);
    await eventually(() => watch.failures.length > 0);
    expect([nameIn(watch), watch.failures]).toEqual([
      'one',
      [[{ key: '', message: expect.stringContaining(reason) }]],
    ]);
    rmSync(file, { recursive: true, force: true });
    writeFileSync(file, text('two'));
    await eventually(() => nameIn(watch) === 'two');
  });

  test('is loaded when a key set that it names changes', async () => {
    const [first, second] = await Promise.all([createIdentityProvider(), createIdentityProvider()]);
    const files = { 'policies.yaml': `${SCOPES}\n${text('one')}`, 'keys.json': first.jwks };
    const folder = await folderWith(files);
    const watch = await watched(path.join(folder, 'policies.yaml'));
    await writeFile(path.join(folder, 'keys.json'), second.jwks);
    await eventually(() => watch.hashes.length === 2);
    expect(watch.failures).toEqual([]);
  });

  test('is loaded when it changes and the key set that it names stays as it is', async () => {
    const { jwks } = await createIdentityProvider();
    const files = { 'policies.yaml': `${SCOPES}\n${text('one')}`, 'keys.json': jwks };
    const file = path.join(await folderWith(files), 'policies.yaml');
    const watch = await watched(file);
    await writeFile(file, `${SCOPES}\n${text('two')}`);
    await eventually(() => nameIn(watch) === 'two');
    expect(new Set(watch.hashes).size).toBe(2);
  });

  test.each([
    ['appears', undefined],
    ['is repaired', '{"keys":'],
  ])('is loaded when a key set that its new version is the first to name %s after it', async (_, before) => {
    const { jwks } = await createIdentityProvider();
    const folder = await folderWith({ 'policies.yaml': text('one') });
    const [file, keys] = [path.join(folder, 'policies.yaml'), path.join(folder, 'keys.json')];
    const watch = await watched(file);
    if (before !== undefined) await writeFile(keys, before);
    await writeFile(file, `${SCOPES}\n${text('two')}`);
    await eventually(() => watch.failures.length > 0);
    expect(nameIn(watch)).toBe('one');
    await writeFile(keys, jwks);
    await eventually(() => nameIn(watch) === 'two');
  });

  test('is not loaded while a key set that its new version is the first to name is being written', async () => {
    const [first, second] = await Promise.all([createIdentityProvider(), createIdentityProvider()]);
    const folder = await folderWith({ 'policies.yaml': text('one') });
    const keys = path.join(folder, 'keys.json');
    const watch = await watched(path.join(folder, 'policies.yaml'));
    await writeFile(path.join(folder, 'policies.yaml'), `${SCOPES}\n${text('two')}`);
    const writing = setInterval(() => writeFileSync(keys, first.jwks), 10);
    await wait(1000);
    const whileWritten = nameIn(watch);
    clearInterval(writing);
    await writeFile(keys, second.jwks);
    await eventually(() => nameIn(watch) === 'two');
    expect([whileWritten, watch.hashes.length]).toEqual(['one', 2]);
  });
});

const SCOPES = 'scopes: [{ clientId: a, jwt: { issuer: i, audience: b, jwks: keys.json } }]';

test('a policy file that is wrong at first is refused', async () => {
  const file = await policyFile('policies: []');
  await expect(watched(file)).rejects.toThrow(ConfigurationError);
});
