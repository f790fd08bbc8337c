import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import lodash from 'lodash';
import {
  ConfigurationError,
  createEnforcer,
  EnforcementError,
  type Enforcer,
  type EnforcerLog,
} from '../../../src/library.ts';
import { eventually } from '../../support/eventually.ts';
import { startHeldPdp } from '../../support/held-pdp.ts';
import { folderWith } from '../../support/folder.ts';
import { closeAll, startStub, stopLater } from '../../pdp/transport/setup.ts';
import { QUIET } from './answering.ts';

afterEach(closeAll);

const POLICIES = `
policies:
  - { name: SSN, properties: [ssn], except: { entityTypes: [Manager] }, action: MASK }
  - { name: Tried, properties: [email], action: MASK, metadata: { DRY_RUN: id } }
`;
const VENDOR = { entityTypeId: 'Agent', entityId: 'jane' };
const MASK_SSN = '{"response":[{"access":[{"path":"ssn","resourceType":"columns","actions":[]}]}]}';

const READ_IT = 'It is a stream or a body; read it first, and give its text or bytes.';
const NO_COLLECTION = 'JSON has no such collection; give an array or an object.';

async function open(configuration: object = {}, log?: EnforcerLog): Promise<Enforcer> {
  const folder = await folderWith({ 'policies.yaml': POLICIES });
  const policyFile = `${folder}/policies.yaml`;
  const enforcer = await createEnforcer({ policyFile, ...configuration }, { log });
  stopLater(() => enforcer.close());
  return enforcer;
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A token that is signed by nobody, of a provider that is asked for its keys. */
const TOKEN = `${base64url({ alg: 'RS256', kid: 'x' })}.${base64url({ iss: 'http://i' })}.AAAA`;

function identityOf(port: number) {
  return {
    required: true,
    jwt: { issuer: 'http://i', audience: 'a', jwksUri: `http://127.0.0.1:${port}/` },
  };
}

function sharedBytesOf(text: string): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(text.length);
  new Uint8Array(shared).set(Buffer.from(text));
  return shared;
}

function failingToLog(): never {
  throw new Error('the disk is full');
}

describe('an enforcer', () => {
  test.each([
    ['a buffer', Buffer.from('{"ssn": "1", "n": 1.10}')],
    ['a view of other bytes', new Uint8Array(Buffer.from('x{"ssn": "1", "n": 1.10}')).subarray(1)],
    ['an ArrayBuffer', new Uint8Array(Buffer.from('{"ssn": "1", "n": 1.10}')).buffer],
    ['a SharedArrayBuffer', sharedBytesOf('{"ssn": "1", "n": 1.10}')],
    ['a DataView', new DataView(new Uint8Array(Buffer.from('x{"ssn": "1", "n": 1.10}')).buffer, 1)],
    ['text', '{"ssn": "1", "n": 1.10}'],
  ])('masks %s and keeps everything else, byte for byte', async (_, json) => {
    const masked = await (await open()).enforce({ json, vendor: VENDOR });
    expect(Buffer.isBuffer(masked)).toBe(true);
    expect(masked.toString()).toBe('{"ssn": "***", "n": 1.10}');
    expect(masked.text()).toBe('{"ssn": "***", "n": 1.10}');
    expect(masked.value()).toStrictEqual({ ssn: '***', n: 1.1 });
  });

  test('enforces for the user of each call, also after another user with the same parameters', async () => {
    const enforcer = await open();
    const maskedFor = async (entityTypeId: string): Promise<string> => {
      const vendor = { ...VENDOR, entityTypeId };
      const masked = await enforcer.enforce({ json: '{"ssn":"1"}', vendor, parameters: { filter: false } });
      return masked.text();
    };
    expect(await maskedFor('Manager')).toBe('{"ssn":"1"}');
    expect(await maskedFor('Agent')).toBe('{"ssn":"***"}');
    expect(await maskedFor('Manager')).toBe('{"ssn":"1"}');
  });

  test('has the value of a payload that is deeper than the one that was given', async () => {
    const depth = 512;
    const place = Array.from({ length: depth }, () => 'a').join('.');
    const folder = await folderWith({
      'p.yaml': `policies: [{name: P, properties: [${place}], action: {name: SET, value: x}}]`,
    });
    const masked = await (
      await open({ policyFile: `${folder}/p.yaml`, maxDepth: 1 })
    ).enforce({ json: '{"b":1}', vendor: VENDOR });
    let value: unknown = masked.value();
    for (let level = 0; level < depth; level++) value = Object(value).a;
    expect(value).toBe('x');
  });

  test.each([
    ['"\uD800"', String.raw`"\ud800"`],
    ['"\\\\\uDFFF\u{1F600}\uD83D"', String.raw`"\\\udfff${'\u{1F600}'}\ud83d"`],
  ])('keeps lone surrogates in text, which UTF-8 does not have, as escapes: %j', async (json, kept) => {
    const masked = await (await open()).enforce({ json: `{"a":${json}}`, vendor: VENDOR });
    expect(masked.text()).toBe(`{"a":${kept}}`);
    expect(masked.value()).toEqual(JSON.parse(`{"a":${json}}`));
  });

  test.each(['"\\\uD800"', '\uD800'])('refuses lone surrogates where JSON has no text: %j', async (json) => {
    await expect((await open()).enforce({ json: `{"a":${json}}`, vendor: VENDOR })).rejects.toMatchObject({
      code: 'body-not-json',
    });
  });

  test('gives a buffer like any other, apart from its readers', async () => {
    const masked = await (await open()).enforce({ json: '{"n":1}', vendor: VENDOR });
    const plain = Buffer.from('{"n":1}');
    expect(inspect(masked)).toBe(inspect(plain));
    expect(masked).toEqual(plain);
    expect(masked.equals(plain)).toBe(true);
    expect(Object.keys(masked)).toEqual(Object.keys(plain));
    expect(masked.constructor).toBe(Buffer);
    for (const part of [masked.subarray(1), masked.slice(1), masked.map((byte) => byte)])
      expect(Object.getPrototypeOf(part)).toBe(Object.getPrototypeOf(plain));
  });

  test('masks a value, and gives it back as a value', async () => {
    const json = [{ ssn: 'a', at: new Date(0), no: undefined, deep: { list: [1, true, null] } }];
    const masked = await (await open()).enforce({ json, vendor: VENDOR });
    expect(masked.value()).toStrictEqual([
      { ssn: '***', at: '1970-01-01T00:00:00.000Z', deep: { list: [1, true, null] } },
    ]);
  });

  test('gives a value whose names change no prototype', async () => {
    const masked = await (
      await open()
    ).enforce({ json: '{"__proto__":{"a":1},"a":2,"a":3}', vendor: VENDOR });
    const value: object = Object(masked.value());
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.entries(value)).toEqual([
      ['__proto__', { a: 1 }],
      ['a', 3],
    ]);
  });

  test('gives bytes of its own, so that the buffer of the caller can be used again', async () => {
    const json = Buffer.from('{"n":1}');
    const masked = await (await open()).enforce({ json, vendor: VENDOR });
    json.fill('x');
    expect(masked.text()).toBe('{"n":1}');
  });

  test('gives bytes of its own for an ArrayBuffer, too', async () => {
    const json = new Uint8Array(Buffer.from('{"n":1}'));
    const masked = await (await open()).enforce({ json: json.buffer, vendor: VENDOR });
    json.fill(0);
    expect(masked.text()).toBe('{"n":1}');
  });

  test('gives bytes of its own whenever it removes the whole payload', async () => {
    const pdp = await startStub();
    pdp.answer({ body: '{"response":[]}' });
    const enforcer = await createEnforcer({ pdpUrl: pdp.url.href, filter: true, filterDefault: 'deny' });
    stopLater(() => enforcer.close());
    const first = await enforcer.enforce({ json: '{"ssn":"1"}' });
    expect(first.text()).toBe('{}');
    first.fill('x');
    expect((await enforcer.enforce({ json: '{"ssn":"1"}' })).text()).toBe('{}');
    expect((await enforcer.enforce({ json: Buffer.from('{"ssn":"1"}') })).value()).toEqual({});
  });

  test('asks a remote PDP with vendor, parameters and headers', async () => {
    const pdp = await startStub();
    pdp.answer({ body: MASK_SSN });
    const enforcer = await createEnforcer({ pdpUrl: pdp.url.href });
    stopLater(() => enforcer.close());
    const headers = { authorization: 'Bearer t', 'x-two': ['a', 'b'], 'content-length': '7', host: 'app' };
    const parameters = { root: 'data', maskString: '-' };
    const masked = await enforcer.enforce({
      json: { data: { ssn: '1' } },
      vendor: VENDOR,
      parameters,
      headers,
    });
    expect(masked.text()).toBe('{"data":{"ssn":"-"}}');
    const [asked] = pdp.requests;
    expect(JSON.parse(asked?.body.toString() ?? '')).toMatchObject(VENDOR);
    expect(asked?.headers).toMatchObject({ authorization: 'Bearer t', 'x-two': 'a, b' });
    expect(asked?.headers['content-length']).not.toBe('7');
  });

  test('takes the headers of fetch', async () => {
    const pdp = await startStub();
    pdp.answer({ body: MASK_SSN });
    const enforcer = await createEnforcer({ pdpUrl: pdp.url.href });
    stopLater(() => enforcer.close());
    await enforcer.enforce({ json: {}, headers: new Headers({ 'X-Tenant': 'a' }) });
    expect(pdp.requests[0]?.headers).toMatchObject({ 'x-tenant': 'a' });
  });

  test('writes its log lines to the log of the application', async () => {
    const info = jest.fn();
    const enforcer = await open({}, { ...QUIET, info });
    await enforcer.enforce({ json: { id: 7, email: 'a@b.c' }, vendor: VENDOR });
    expect(info).toHaveBeenCalledWith('Enforcement by Policy Tried on id 7 was skipped for User jane', {});
  });

  test('finishes what is in progress when it is closed, and then refuses everything', async () => {
    const pdp = await startHeldPdp();
    const enforcer = await createEnforcer({ pdpUrl: `127.0.0.1:${pdp.port}` });
    const masked = enforcer.enforce({ json: {}, vendor: VENDOR });
    await eventually(() => pdp.seen.asked === 1);
    const closed = enforcer.close();
    await expect(enforcer.enforce({ json: {} })).rejects.toMatchObject({
      code: 'draining',
      status: 503,
      headers: { 'Retry-After': '1' },
    });
    pdp.answer('{"response":[]}');
    expect((await masked).text()).toBe('{}');
    await closed;
    await enforcer.close();
  });

  test('finishes what waits for its identity provider when it is closed', async () => {
    const provider = await startHeldPdp();
    const enforcer = await createEnforcer({ pdpUrl: '127.0.0.1:9', identity: identityOf(provider.port) });
    const refused = enforcer.enforce({ json: {}, headers: { authorization: `Bearer ${TOKEN}` } });
    await eventually(() => provider.seen.asked === 1);
    const closed = enforcer.close();
    provider.answer('{"keys":[]}');
    await expect(refused).rejects.toMatchObject({ code: 'token-refused' });
    await closed;
  });

  test('goes on if the log of the application fails, and warns of it', async () => {
    const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const enforcer = await open({}, { ...QUIET, info: failingToLog });
    const masked = await enforcer.enforce({ json: { id: 7, email: 'a@b.c' }, vendor: VENDOR });
    expect(masked.value()).toEqual({ id: 7, email: 'a@b.c' });
    expect(warning.mock.calls).toEqual([
      ['The log of the enforcer failed: Error: the disk is full', 'EnforcerLogWarning'],
    ]);
    warning.mockRestore();
  });

  test.each([
    [[['X-User'], ['Authorization', 'Bearer s']]],
    [[['X-User', 'a', 'b']]],
    [['X-User', 'a']],
    [[['X-User', ['a', 'b']]]],
  ])('refuses header fields that are no pairs of texts: %j', async (headers) => {
    const enforcer = await open();
    await expect(
      // @ts-expect-error -- no pairs
      enforcer.enforce({ json: {}, vendor: VENDOR, headers }),
    ).rejects.toMatchObject({ code: 'request-invalid', errors: [{ pointer: '/headers' }] });
  });

  test('says which option cannot be written as JSON, and why', async () => {
    const enforcer = await open();
    // What has a function of its own is written by calls within calls.
    let deep: unknown = { toJSON: () => 1 };
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const failing = {
      toJSON() {
        throw new RangeError('secret');
      },
    };
    await expect(enforcer.enforce({ json: deep })).rejects.toMatchObject({ code: 'nesting-too-deep' });
    await expect(enforcer.enforce({ json: {}, vendor: { deep } })).rejects.toMatchObject({
      errors: [{ pointer: '/vendor', detail: 'It nests too deeply to be written as JSON.' }],
    });
    await expect(enforcer.enforce({ json: failing })).rejects.toMatchObject({
      errors: [
        {
          pointer: '/json',
          detail: 'It cannot be written as JSON: it contains itself, or a value that JSON does not have.',
        },
      ],
    });
    const long = 'x'.repeat(2 ** 29 - 30);
    await expect(enforcer.enforce({ json: [long, long] })).rejects.toMatchObject({
      errors: [{ pointer: '/json', detail: 'It is too long to be written as JSON.' }],
    });
  });
});

test('an enforcer that cannot be opened watches none of its files', async () => {
  const folder = await folderWith({
    'mask.key': 'a'.repeat(64),
    'policies.yaml': POLICIES,
    'ca.crt': 'no certificate',
  });
  const maskKeys = { k: { file: `${folder}/mask.key` } };
  const reloaded = { right: jest.fn(), wrong: jest.fn() };
  await expect(
    createEnforcer(
      { pdpUrl: 'https://127.0.0.1:9', pdpTls: { caFile: `${folder}/ca.crt` }, maskKeys },
      { log: { ...QUIET, info: reloaded.wrong } },
    ),
  ).rejects.toThrow(ConfigurationError);
  // It looks at the file after the other would.
  const right = await createEnforcer(
    { policyFile: `${folder}/policies.yaml`, maskKeys },
    { log: { ...QUIET, info: reloaded.right } },
  );
  stopLater(() => right.close());
  await writeFile(`${folder}/mask.key`, 'b'.repeat(64));
  await eventually(() => reloaded.right.mock.calls.length > 0);
  expect(reloaded.wrong).not.toHaveBeenCalled();
});

async function watched(log: EnforcerLog): Promise<{ readonly file: string; readonly enforcer: Enforcer }> {
  const file = path.join(await folderWith({ 'policies.yaml': POLICIES }), 'policies.yaml');
  const enforcer = await createEnforcer({ policyFile: file }, { log });
  stopLater(() => enforcer.close());
  return { file, enforcer };
}

describe('the policy file of an enforcer', () => {
  const NAME = 'policies: [{ name: Name, properties: [name], action: MASK }]';
  const json = '{"ssn":"1","name":"Ann"}';

  test('is read again when it changes', async () => {
    const { file, enforcer } = await watched(QUIET);
    const masked = async (): Promise<string> => (await enforcer.enforce({ json, vendor: VENDOR })).text();
    expect(await masked()).toBe('{"ssn":"***","name":"Ann"}');
    await writeFile(file, NAME);
    await eventually(async () => (await masked()) === '{"ssn":"1","name":"***"}');
  });

  test('is not loaded if it is wrong, which is logged', async () => {
    const error = jest.fn();
    const { file, enforcer } = await watched({ ...QUIET, error });
    await writeFile(file, 'policies: [{ name: Name }]');
    await eventually(() => error.mock.calls.length > 0);
    expect(JSON.stringify(error.mock.calls[0])).toContain('Policy file is not valid');
    expect((await enforcer.enforce({ json, vendor: VENDOR })).text()).toBe('{"ssn":"***","name":"Ann"}');
  });

  test('does not keep the process running', async () => {
    const folder = await folderWith({ 'policies.yaml': POLICIES });
    const library = pathToFileURL(path.resolve('src/library.ts')).href;
    const program = `
      const { createEnforcer } = await import(${JSON.stringify(library)});
      const enforcer = await createEnforcer({ policyFile: 'policies.yaml' });
      console.log((await enforcer.enforce({ json: '{"ssn":"1"}', vendor: ${JSON.stringify(VENDOR)} })).text());`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: folder },
    );
    expect(stdout).toBe('{"ssn":"***"}\n');
  });

  test('is left alone once the enforcer is closed', async () => {
    const error = jest.fn();
    const info = jest.fn();
    const { file, enforcer } = await watched({ ...QUIET, error, info });
    const other = await watched(QUIET);
    await enforcer.close();
    await writeFile(file, 'policies: [{ name: Name }]');
    await writeFile(other.file, NAME);
    const later = async (): Promise<string> =>
      (await other.enforcer.enforce({ json, vendor: VENDOR })).text();
    await eventually(async () => (await later()).includes('"ssn":"1"'));
    expect(error).not.toHaveBeenCalled();
    expect(info).not.toHaveBeenCalled();
  });
});

describe('what cannot be enforced is an EnforcementError', () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;

  test.each([
    ['no text', { json: ' \n' }, 'body-not-json', 400],
    ['text that is not JSON', { json: '{"ssn":"123-45' }, 'body-not-json', 400],
    ['a scalar', { json: '"123-45-6789"' }, 'request-invalid', 400],
    ['nothing', { json: undefined }, 'request-invalid', 400],
    ['a function', { json: () => 1 }, 'request-invalid', 400],
    ['a value that contains itself', { json: circular }, 'request-invalid', 400],
    ['a bigint', { json: { ssn: 10n } }, 'request-invalid', 400],
    ['bytes that are not UTF-8', { json: Buffer.from('{"a":"\xff"}', 'latin1') }, 'body-not-json', 400],
    ['a misspelt parameter', { json: {}, parameters: { rot: 'x' } }, 'request-invalid', 400],
    ['a misspelt option', { json: {}, paramters: { root: 'x' } }, 'request-invalid', 400],
    ['a root that is not there', { json: {}, parameters: { root: 'x' } }, 'root-not-found', 422],
    ['a user who is not known', { json: {}, vendor: {} }, 'pdp-unauthorized', 401],
  ])('for %s', async (_, options, code, status) => {
    const error: unknown = await (
      await open()
    )
      .enforce({ vendor: VENDOR, ...options })
      .catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(EnforcementError);
    expect(error).toMatchObject({ name: 'EnforcementError', code, status, title: expect.any(String) });
    expect(JSON.stringify(error) + String(error)).not.toContain('123-45');
  });

  test.each([
    ['headers', { headers: { a: 5 } }],
    ['a signal', { signal: true }],
    ['members that are misspelt', { paramters: { root: 'x' } }],
  ])('for %s of a type that JavaScript does not check', async (_name, wrong: object) => {
    const enforcer = await open();
    await expect(enforcer.enforce(Object.assign({ json: {} }, wrong))).rejects.toMatchObject({
      name: 'EnforcementError',
      code: 'request-invalid',
      errors: [{ pointer: `/${Object.keys(wrong).join('')}` }],
    });
  });

  test('for a payload that nests too deeply, whatever it is given as', async () => {
    const enforcer = await open();
    const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    await expect(enforcer.enforce({ json: text, vendor: VENDOR })).rejects.toMatchObject({
      code: 'nesting-too-deep',
    });
    let value: unknown = [];
    for (let i = 0; i < 100_000; i++) value = [value];
    await expect(enforcer.enforce({ json: value, vendor: VENDOR })).rejects.toMatchObject({
      code: 'nesting-too-deep',
    });
  });

  test('for a payload over maxBody and an answer over maxAnswer', async () => {
    const enforcer = await open({ maxBody: 1, maxAnswer: 1 });
    const large = { json: { a: 'x'.repeat(1024 * 1024) }, vendor: VENDOR };
    await expect(enforcer.enforce(large)).rejects.toMatchObject({ code: 'body-too-large', status: 413 });
    const many = { json: Array.from({ length: 50_000 }, () => ({ ssn: '' })), vendor: VENDOR };
    const parameters = { maskString: 'x'.repeat(200) };
    await expect(enforcer.enforce({ ...many, parameters })).rejects.toMatchObject({
      code: 'answer-too-large',
    });
  });

  test('which names each wrong option', async () => {
    const enforcer = await open();
    await expect(enforcer.enforce({ json: {}, parameters: { rot: 'x' } })).rejects.toMatchObject({
      errors: [{ pointer: '/parameters/rot', detail: 'Unknown. Did you mean root?' }],
    });
  });

  test('for a payload that is a promise, which would be written as an empty object', async () => {
    const enforcer = await open();
    await expect(enforcer.enforce({ json: Promise.resolve([{ ssn: '1' }]) })).rejects.toMatchObject({
      code: 'request-invalid',
      errors: [{ pointer: '/json', detail: 'It is a promise; await it first.' }],
    });
  });

  test.each([
    ['a query that can be awaited', lodash.set({}, 'then', String), 'It is a promise; await it first.'],
    ['an answer of fetch', new Response('{"ssn":"1"}'), READ_IT],
    ['a file', new Blob(['{"ssn":"1"}']), READ_IT],
    ['a stream of Node.js', Readable.from(['{"ssn":"1"}']), READ_IT],
    ['a stream', new Response('{"ssn":"1"}').body, READ_IT],
    ['a map', new Map([['ssn', '1']]), NO_COLLECTION],
    ['a set', new Set(['1']), NO_COLLECTION],
    ['what a list is read by', [{ ssn: '1' }].values(), NO_COLLECTION],
  ])('for %s, which would be written without its contents', async (_case, json, detail) => {
    await expect((await open()).enforce({ json })).rejects.toMatchObject({
      code: 'request-invalid',
      errors: [{ pointer: '/json', detail }],
    });
  });

  test.each([
    [JSON.parse('{"then":"text","arrayBuffer":1}'), '{"then":"text","arrayBuffer":1}'],
    [Object.assign(new Set(['2']), { toJSON: () => ['2'] }), '["2"]'],
    [Object.assign(new Set(['2']), { ssn: '1' }), '{"ssn":"***"}'],
  ])('unless it is written with its contents: %j', async (json, written) => {
    const masked = await (await open()).enforce({ json, vendor: VENDOR });
    expect(masked.text()).toBe(written);
  });

  test('unless options inherit a name that it does not know', async () => {
    const options = Object.assign(Object.create({ unknown: 1 }), { json: {}, vendor: VENDOR });
    await expect((await open()).enforce(options)).resolves.toBeInstanceOf(Uint8Array);
    await expect((await open()).enforce({ ...options, unknown: 1 })).rejects.toMatchObject({
      errors: [{ pointer: '/unknown', detail: 'Unknown.' }],
    });
  });

  test('which keeps what the PDP says out of its message, and gives it to the caller as detail', async () => {
    const pdp = await startStub();
    pdp.answer({ status: 403, body: '{"message":"jane is on leave"}' });
    const enforcer = await createEnforcer({ pdpUrl: pdp.url.href });
    stopLater(() => enforcer.close());
    const error: unknown = await enforcer.enforce({ json: {} }).catch((problem: unknown) => problem);
    expect(error).toMatchObject({ code: 'pdp-forbidden', message: expect.not.stringContaining('leave') });
    expect(error instanceof EnforcementError && error.detail).toContain('jane is on leave');
    expect(JSON.stringify(error)).not.toContain('leave');
  });

  test('unless the signal is aborted: then it is the reason of the signal', async () => {
    const pdp = await startHeldPdp();
    const enforcer = await createEnforcer({ pdpUrl: `127.0.0.1:${pdp.port}` });
    stopLater(() => enforcer.close());
    const reason = new Error('no longer wanted');
    const abort = new AbortController();
    const masked = enforcer.enforce({ json: {}, signal: abort.signal });
    await eventually(() => pdp.seen.asked === 1);
    abort.abort(reason);
    await expect(masked).rejects.toBe(reason);
  });

  test('unless the signal is aborted while the token is verified, too', async () => {
    const provider = await startHeldPdp();
    const enforcer = await createEnforcer({ pdpUrl: '127.0.0.1:9', identity: identityOf(provider.port) });
    const abort = new AbortController();
    const asked = { json: {}, headers: { authorization: `Bearer ${TOKEN}` } };
    const masked = enforcer.enforce({ ...asked, signal: abort.signal });
    await eventually(() => provider.seen.asked === 1);
    const reason = new Error('no longer wanted');
    abort.abort(reason);
    await expect(masked).rejects.toBe(reason);
    await expect(enforcer.enforce({ ...asked, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await enforcer.close();
  });
});

describe('createEnforcer', () => {
  test('checks the configuration like the file, and reports every problem at once', async () => {
    const wrong = { policyFle: 'x', maxBody: 0, log: { level: 'loud' } };
    const error: unknown = await createEnforcer(wrong).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error).split('\n').toSorted()).toEqual([
      '  No PDP is configured: give pdpUrl or pdpHost for a remote one, or policyFile for the embedded one.',
      '  log.level must be one of error, warn, info, debug',
      '  maxBody must be an integer from 1 to 256',
      '  policyFle is not a known key; the nearest one is policyFile',
      'ConfigurationError: The configuration: 4 problems',
    ]);
  });

  test.each(['constructor', '__proto__', 'prototype', 'toString'])(
    'refuses the key %s, as it does every other that is not known',
    async (name) => {
      const configuration = Object.fromEntries([
        ['policyFile', 'nowhere.yaml'],
        [name, { x: 1 }],
      ]);
      await expect(createEnforcer(configuration)).rejects.toThrow(`${name} is not a known key`);
      const nested = Object.fromEntries([[name, 1]]);
      const inGroup = { policyFile: 'nowhere.yaml', log: nested };
      await expect(createEnforcer(inGroup)).rejects.toThrow(`log.${name} is not a known key`);
    },
  );

  test('refuses a configuration that contains itself', async () => {
    const log = { level: 'info', log: {} };
    log.log = log;
    const created = createEnforcer({ policyFile: 'nowhere.yaml', log });
    await expect(created).rejects.toThrow(ConfigurationError);
    await expect(created).rejects.toThrow('It nests too deeply, or contains itself.');
  });

  test.each([
    [{ logger: console }, 'logger is not a known key'],
    [{ lgo: console }, 'lgo is not a known key; the nearest one is log'],
    [{ log: 5 }, 'log must have the methods error, warn, info, debug, as console has'],
    [{ log: { info: () => undefined } }, 'log must have the methods error, warn, info, debug'],
    [null, 'They have to be an object, such as { log }.'],
  ])('checks its options before it opens anything: %j', async (wrong, message) => {
    const created: unknown = Reflect.apply(createEnforcer, undefined, [
      { policyFile: 'nowhere.yaml' },
      wrong,
    ]);
    await expect(created).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining(message),
    });
  });

  test('takes null for a key that is absent, as in the file', async () => {
    const enforcer = await open({ maskString: null, log: { level: null }, metrics: null });
    expect((await enforcer.enforce({ json: { ssn: '1' }, vendor: VENDOR })).text()).toBe('{"ssn":"***"}');
  });

  test('reports what is wrong with the policy file', async () => {
    const folder = await folderWith({ 'p.yaml': 'policies:\n  - { name: P, acton: MASK }\n' });
    await expect(createEnforcer({ policyFile: `${folder}/p.yaml` })).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining(
        'line 2: policies[0].acton is not a known key; the nearest one is action',
      ),
    });
  });

  test('takes the configuration of the service, with its port', async () => {
    const enforcer = await open({ port: 5002, 'log.level': 'error' });
    expect((await enforcer.enforce({ json: { ssn: '1' }, vendor: VENDOR })).text()).toBe('{"ssn":"***"}');
  });
});

test('an enforcer that cannot be opened does not watch its policies', async () => {
  const folder = await folderWith({ 'policies.yaml': POLICIES });
  const policyFile = `${folder}/policies.yaml`;
  const reloaded = { right: jest.fn(), wrong: jest.fn() };
  const maskKeys = { k: { file: `${folder}/nothing.key` } };
  await expect(
    createEnforcer({ policyFile, maskKeys }, { log: { ...QUIET, info: reloaded.wrong } }),
  ).rejects.toThrow(ConfigurationError);
  const right = await createEnforcer({ policyFile }, { log: { ...QUIET, info: reloaded.right } });
  stopLater(() => right.close());
  await writeFile(policyFile, `${POLICIES}# another version\n`);
  await eventually(() => reloaded.right.mock.calls.length > 0);
  expect(reloaded.wrong).not.toHaveBeenCalled();
});

test('an enforcer that is closed watches none of its keys', async () => {
  const folder = await folderWith({ 'mask.key': 'a'.repeat(64), 'policies.yaml': POLICIES });
  const configuration = {
    policyFile: `${folder}/policies.yaml`,
    maskKeys: { k: { file: `${folder}/mask.key` } },
  };
  const reloaded = { open: jest.fn(), closed: jest.fn() };
  const closed = await createEnforcer(configuration, { log: { ...QUIET, info: reloaded.closed } });
  const other = await createEnforcer(configuration, { log: { ...QUIET, info: reloaded.open } });
  stopLater(() => other.close());
  await closed.close();
  await writeFile(`${folder}/mask.key`, 'b'.repeat(64));
  await eventually(() => reloaded.open.mock.calls.length > 0);
  expect(reloaded.closed).not.toHaveBeenCalled();
});
