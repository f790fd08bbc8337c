import { createHmac, createSecretKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TOP } from '../../src/core/json/document.ts';
import { scan } from '../../src/core/json/scan.ts';
import { maskPayload } from '../../src/core/mask.ts';
import { RootList } from '../../src/core/roots.ts';
import type { MaskKeys } from '../../src/core/actions/mask-keys.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { Plans } from '../../src/enforcement/plans.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { decision } from '../support/decision.ts';
import { eventually } from '../support/eventually.ts';
import { startEnforcement, startService } from '../support/service.ts';

const KEY = 'planted-key-of-more-than-32-bytes';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'keys-'));
  await writeFile(path.join(folder, 'good'), KEY);
  await writeFile(path.join(folder, 'short'), 'planted');
});
afterEach(async () => {
  await closeAll();
  await rm(folder, { recursive: true });
});

function hashOf(text: string, key = KEY): string {
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
}

function hashing(name: string): string {
  return decision({
    access: [{ path: 'v', resourceType: 'columns', actions: [{ action: `hash(${name})` }] }],
  });
}

function keysAt(name: string): Readonly<Record<string, unknown>> {
  return { maskKeys: { k: { file: path.join(folder, name) } } };
}

describe('a keyed hash', () => {
  test('is made with the key of the configuration, which no answer and no line of the log has', async () => {
    const service = await startEnforcement({ body: hashing('k') }, { ...keysAt('good'), audit: true });
    const { text } = await call(service.port, { body: enforcing('[{"v":"Ann"},{"v":"Ann"},{"v":1.10}]') });
    expect(JSON.parse(text)).toEqual(['Ann', 'Ann', '1.10'].map((value) => ({ v: hashOf(value) })));
    expect(service.logged.join('\n')).not.toContain('planted');
  });

  test('with a key that is not configured makes the decision one that is not understood', async () => {
    const service = await startEnforcement({ body: hashing('other') }, keysAt('good'));
    const { status, text } = await call(service.port, { body: enforcing('[{"v":"Ann"}]') });
    expect(status).toBe(502);
    const where = 'at /response/0/access/0/actions/0/action.';
    expect(text).toContain(
      `an action that uses a key that maskKeys of the configuration does not name ${where}`,
    );
  });

  test('keeps the service from starting if its key cannot be used, in words that do not quote it', async () => {
    const start = startEnforcement({ body: hashing('k') }, keysAt('short'));
    await expect(start).rejects.toThrow(
      /^The configuration: 1 problem\n {2}maskKeys\.k\.file names .+short, which has 7 bytes: a key has at least 32$/u,
    );
  });

  test('is made with the key before if the new one cannot be used, which the log says without quoting it', async () => {
    const service = await startEnforcement({ body: hashing('k') }, keysAt('good'));
    await writeFile(path.join(folder, 'good'), 'planted');
    await eventually(() => service.logged.some((line) => line.includes('Mask key')));
    const { text } = await call(service.port, { body: enforcing('[{"v":"Ann"}]') });
    expect(JSON.parse(text)).toEqual([{ v: hashOf('Ann') }]);
    expect(service.logged.map((line): unknown => JSON.parse(line))).toContainEqual({
      level: 'error',
      message: 'Mask key reload failed; keeping the current key',
      key: 'k',
      reason: `names ${path.join(folder, 'good')}, which has 7 bytes: a key has at least 32`,
      time: expect.any(String),
    });
  });

  test('is made with the new key once its file has one, which the log says', async () => {
    const service = await startEnforcement({ body: hashing('k') }, keysAt('good'));
    await writeFile(path.join(folder, 'good'), `another ${KEY}`);
    await eventually(() => service.logged.some((line) => line.includes('"message":"Mask key reloaded"')));
    const { text } = await call(service.port, { body: enforcing('[{"v":"Ann"}]') });
    expect(JSON.parse(text)).toEqual([{ v: hashOf('Ann', `another ${KEY}`) }]);
    expect(service.logged.join('\n')).not.toContain('planted');
  });

  test('is made with the current key, also by a plan that was compiled with the one before', () => {
    const key = { current: createSecretKey(Buffer.from(KEY)) };
    const plans = new Plans();
    const keys = new Map([['k', key]]);
    const before = maskedBy(plans, keys, ['Ann']);
    key.current = createSecretKey(Buffer.from(`another ${KEY}`));
    const after = [{ v: hashOf('Ann', `another ${KEY}`) }];
    expect([before, maskedBy(plans, keys, ['Ann'])]).toEqual([[{ v: hashOf('Ann') }], after]);
  });

  test('is made with one key for all values of a payload, also if that is replaced while they are masked', () => {
    let replaced = 0;
    const key = {
      get current() {
        return createSecretKey(Buffer.from(`${replaced++} ${KEY}`));
      },
    };
    const v = hashOf('Ann', `0 ${KEY}`);
    expect(maskedBy(new Plans(), new Map([['k', key]]), ['Ann', 'Ann'])).toEqual([{ v }, { v }]);
  });

  test('keeps a policy file from loading if its key is not configured', async () => {
    const policyFile = path.join(folder, 'policies.yaml');
    await writeFile(policyFile, 'policies:\n  - { name: P, properties: [v], action: hash(other) }');
    const start = startService({ policyFile, attrName: 'column', object: 'table', ...keysAt('good') });
    await expect(start).rejects.toThrow(
      'line 2: policies[0].action uses a key that maskKeys of the configuration does not name',
    );
  });
});

describe('a policy file of the embedded PDP', () => {
  test.each([
    ['masks short values', '', undefined, '***'],
    ['masks them whatever the configuration says', '', false, '***'],
    ['may say that they stay', 'maskShort: false\n', undefined, '123'],
    ['may say so against the configuration', 'maskShort: false\n', true, '123'],
  ])('%s', async (_what, setting, maskShort, expected) => {
    const policyFile = path.join(folder, 'policies.yaml');
    await writeFile(policyFile, `${setting}policies:\n  - { name: P, properties: [v], action: last(4) }`);
    const service = await startService({ policyFile, attrName: 'column', object: 'table', maskShort });
    const { text } = await call(service.port, { body: enforcing('[{"v":"123"}]') });
    expect(JSON.parse(text)).toEqual([{ v: expected }]);
  });
});

/** What becomes of values under these plans. */
function maskedBy(plans: Plans, keys: MaskKeys, values: readonly string[]): unknown {
  const settings = {
    assetType: 'columns',
    attrName: undefined,
    object: undefined,
    filter: false,
    filterDefault: 'allow',
    protectedObject: undefined,
    maskString: '***',
    maskShort: false,
  } as const;
  const doc = scan(Buffer.from(JSON.stringify(values.map((v) => ({ v })))), 9);
  const { plan } = plans.compile(decisionFrom(Buffer.from(hashing('k')), settings, keys), settings, {
    isJsonNamed: true,
    rootWord: undefined,
  });
  const observer = {
    record: () => undefined,
    changed: () => undefined,
    removed: () => undefined,
    followsDryRuns: false,
    skipped: () => undefined,
    unreadable: () => undefined,
  };
  const text = maskPayload({
    doc,
    payload: TOP,
    roots: RootList.ofPayload(TOP),
    plan,
    assetId: undefined,
    observer,
  });
  return JSON.parse(Buffer.concat(text).toString());
}
