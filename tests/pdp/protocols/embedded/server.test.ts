import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { JWTPayload } from 'jose';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Room } from '../../../../src/room.ts';
import { startPdpServer } from '../../../../src/pdp/protocols/embedded/server.ts';
import { eventually } from '../../../support/eventually.ts';
import { policiesFrom } from './ask.ts';
import { createIdentityProvider, AUDIENCE, ISSUER } from './tokens.ts';

const RESOLUTION = '/api/runtime/resolution/v3';
const TOKEN = '/api/runtime/token/v3';
const MAX_BODY = 16 * 1024 * 1024;

let server: Awaited<ReturnType<typeof startPdpServer>>;
let sign: (claims: JWTPayload) => Promise<string>;

let lines: string[];
const log = new EventEmitter<{ line: [string] }>();
log.on('line', (line) => void lines.push(line));
const writing =
  (level: string) =>
  (...entry: unknown[]): void => {
    log.emit('line', `${level} ${JSON.stringify(entry)}`);
  };
const logger = { info: writing('info'), warn: writing('warn'), error: writing('error') };

beforeEach(async () => {
  const idp = await createIdentityProvider();
  sign = (claims) => idp.sign(claims);
  const policies = policiesFrom(`
scopes:
  - { clientId: app, clientSecret: s3cret, jwt: { jwks: ${idp.jwks}, issuer: '${ISSUER}', audience: ${AUDIENCE} } }
policies:
  - { name: P, properties: [v], action: MASK }
  - { name: Q, assets: { type: Customer, ids: all }, properties: [w], action: MASK }`);
  lines = [];
  server = await startPdpServer({ policies: { current: policies }, port: 0, host: '127.0.0.1', logger });
});

afterEach(() => server.close());

test('serves on for the drain delay when it is closed, and asks callers to go elsewhere', async () => {
  const policies = policiesFrom('policies: [{ name: P, properties: [v], action: MASK }]');
  const other = await startPdpServer({ policies: { current: policies }, port: 0, host: '127.0.0.1', logger });
  const health = `http://127.0.0.1:${other.port}/health/liveness`;
  expect((await fetch(health)).headers.get('connection')).toBe('keep-alive');
  const closed = other.close(700);
  const answer = await fetch(health);
  expect({ status: answer.status, connection: answer.headers.get('connection') }).toEqual({
    status: 200,
    connection: 'close',
  });
  await closed;
  await expect(fetch(health)).rejects.toThrow('fetch failed');
});

/** Sends a question without its last bytes. */
function sendPartOf(body: string): Socket {
  const socket = connect(server.port, '127.0.0.1');
  const head = `POST ${RESOLUTION} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  socket.write(head + body.slice(0, -UNSENT));
  return socket;
}

/** How much of a body {@link sendPartOf} leaves out, in bytes. */
const UNSENT = 1000;

interface Call {
  readonly body?: unknown;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(path: string, { body, method = 'POST', headers = {} }: Call = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** Sends the header of a question, and waits until the server asks for the body. */
async function beginQuestion(length: number): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  const fields = [
    'host: pdp',
    'content-type: application/json',
    'expect: 100-continue',
    `content-length: ${length}`,
  ];
  socket.write(`${[`POST ${RESOLUTION} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

const ENTERING = { clientId: 'app', clientSecret: 's3cret' };

describe('the PDP over HTTP', () => {
  test('answers policy resolution', async () => {
    const response = await call(RESOLUTION, { body: ENTERING });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      tokenValidity: 0,
      maskShort: true,
      response: [
        {
          access: [{ path: 'v', resourceType: 'columns', actions: [{ action: 'MASK' }] }],
          privileges: { allowed: [], denied: [] },
        },
      ],
    });
  });

  test('answers user access tokens, about assets', async () => {
    const assetList = [{ template: 'Customer', path: 'c1' }];
    const response = await call(`${TOKEN}?trace=1`, { body: { ...ENTERING, assetList } });
    expect(await response.text()).toContain('"path":"c1"');
  });

  test('takes a token of the header instead of the secret', async () => {
    const headers = { authorization: `Bearer ${await sign({ sub: 'jane' })}` };
    expect((await call(RESOLUTION, { body: { clientId: 'app' }, headers })).status).toBe(200);
  });

  test.each([[`${RESOLUTION}/`], ['/'], ['/api/runtime/resolution/v2']])(
    'there is nothing at %s',
    async (path) => {
      const response = await call(path, { body: ENTERING });
      expect(response.status).toBe(404);
      expect(await response.text()).toBe('This path does not exist.');
    },
  );

  test.each([
    [RESOLUTION, 'GET', 'POST'],
    [TOKEN, 'PUT', 'POST'],
    ['/health/liveness', 'POST', 'GET, HEAD'],
  ])('%s does not allow %s', async (path, method, allow) => {
    const response = await call(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
  });

  test.each([['/health/liveness'], ['/health/readiness']])('%s is fine', async (path) => {
    const response = await call(path, { method: 'GET' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('OK');
    expect((await call(path, { method: 'HEAD' })).status).toBe(200);
    expect(lines).toEqual([]);
  });

  test.each([
    ['nothing', { 'content-type': '' }],
    ['text', { 'content-type': 'text/plain' }],
    ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['compressed JSON', { 'content-encoding': 'gzip' }],
  ])('a body that claims to be %s is not taken', async (_, headers) => {
    expect((await call(RESOLUTION, { body: ENTERING, headers })).status).toBe(415);
  });

  test.each([['application/json; charset=UTF-8'], ['application/vnd.api+json']])(
    'a body of %s is',
    async (type) => {
      expect((await call(RESOLUTION, { body: ENTERING, headers: { 'content-type': type } })).status).toBe(
        200,
      );
    },
  );

  test('a body that is not JSON is refused', async () => {
    const response = await call(RESOLUTION, { body: '{' });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe('The body is not valid JSON.');
  });

  test('a body of exactly 16 MiB is read, and one byte more is too large', async () => {
    const largest = JSON.stringify(ENTERING).padEnd(MAX_BODY);
    expect((await call(RESOLUTION, { body: largest })).status).toBe(200);
    const response = await call(RESOLUTION, { body: `${largest} ` });
    expect(response.status).toBe(413);
    expect(await response.text()).toBe('The body may have at most 16777216 bytes.');
  });

  test('a body is refused while others take up the room for bodies, until they are gone', async () => {
    const half = JSON.stringify(ENTERING).padEnd(MAX_BODY / 2);
    const take = jest.spyOn(Room.prototype, 'take');
    const taken = (): number => take.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0);
    const others = [half, half].map(sendPartOf);
    await eventually(() => taken() === 2 * (half.length - UNSENT));
    take.mockRestore();
    const refused = await call(RESOLUTION, { body: half });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.text()).toBe('Too many questions arrive at once.');
    expect((await call(RESOLUTION, { body: ENTERING })).status).toBe(200);
    for (const other of others) other.destroy();
    await eventually(async () => (await call(RESOLUTION, { body: half })).status === 200);
  });

  test('an answer is refused while others that nobody reads take up the room for answers, until they are gone', async () => {
    const assets = { type: 'A', ids: 'all' };
    const policies = Array.from({ length: 60 }, (_value, at) => ({
      name: `P${at}`,
      assets,
      properties: ['v'],
      action: 'MASK',
    }));
    const current = policiesFrom(JSON.stringify({ policies }));
    const other = await startPdpServer({ policies: { current }, port: 0, host: '127.0.0.1', logger });
    const assetList = [{ template: 'A', path: 'a'.repeat(1e6) }];
    const body = JSON.stringify({ clientId: 'app', resourceTypes: [{ name: 'A' }], assetList });
    const fields = ['host: a', 'content-type: application/json', `content-length: ${body.length}`];
    const question = `${[`POST ${TOKEN} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n${body}`;
    const unread = Array.from({ length: 4 }, () => connect(other.port, '127.0.0.1').pause());
    for (const socket of unread) socket.write(question);
    await Promise.all(unread.map(async (socket) => once(socket, 'readable')));
    const ask = async () => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`http://127.0.0.1:${other.port}${TOKEN}`, {
        method: 'POST',
        headers,
        body,
      });
      await response.body?.cancel();
      return response;
    };
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    for (const socket of unread) socket.destroy();
    await eventually(async () => (await ask()).status === 200);
    await other.close();
  });

  test('a wrong secret is refused, and says how to come in', async () => {
    const response = await call(RESOLUTION, { body: { ...ENTERING, clientSecret: 'guess' } });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.text()).toBe('The client id or the client secret is not right.');
  });

  test('a question about another user than that of the token is forbidden', async () => {
    const headers = { authorization: `Bearer ${await sign({ sub: 'jane' })}` };
    const response = await call(RESOLUTION, { body: { clientId: 'app', entityId: 'max' }, headers });
    expect(response.status).toBe(403);
    expect(response.headers.has('www-authenticate')).toBe(false);
  });
});

describe('the log of the PDP', () => {
  test('has answers and refusals, without secrets and tokens', async () => {
    const token = await sign({ sub: 'jane' });
    await call(RESOLUTION, { body: ENTERING, headers: { authorization: `Bearer ${token}` } });
    await call(`${RESOLUTION}?key=k3y`, { body: { ...ENTERING, clientSecret: 'guess' } });
    expect(lines).toEqual([
      'info ["Answered",{"path":"/api/runtime/resolution/v3"}]',
      'warn ["Refused",{"method":"POST","path":"/api/runtime/resolution/v3","status":401,' +
        '"reason":"The client id or the client secret is not right."}]',
    ]);
  });

  test('has a request that breaks off', async () => {
    const socket = await beginQuestion(9);
    const told = once(log, 'line');
    socket.destroy();
    expect(await told).toEqual(['warn ["Request aborted"]']);
  });
});

describe('closing the PDP', () => {
  test('answers what has begun, and ends its connection', async () => {
    const body = JSON.stringify(ENTERING);
    const socket = await beginQuestion(body.length);
    const closed = server.close();
    socket.write(body);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 [^]*connection: close/i);
    await closed;
  });

  test('cuts off what is not over after ten seconds, and nothing before', async () => {
    const socket = await beginQuestion(9);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const closed = server.close();
    await eventually(() => jest.getTimerCount() > 0);
    await jest.advanceTimersByTimeAsync(9999);
    const before = lines.length;
    await jest.advanceTimersByTimeAsync(1);
    jest.useRealTimers();
    await eventually(() => socket.destroyed);
    await closed;
    expect([before, lines]).toEqual([0, ['warn ["Request aborted"]']]);
  });

  test('may be asked for twice', async () => {
    await server.close();
    await expect(server.close()).resolves.toBeUndefined();
  });
});

test('a port that is in use is an error', async () => {
  const policies = policiesFrom('policies: [{ name: P, properties: [v], action: MASK }]');
  const second = startPdpServer({
    policies: { current: policies },
    port: server.port,
    host: '127.0.0.1',
    logger,
  });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a failure of the PDP is logged, and the caller learns only that it failed', async () => {
  const broken = {
    ...policiesFrom('policies: [{ name: P, properties: [v], action: MASK }]'),
    get policies(): never {
      throw new Error('broken');
    },
  };
  const other = await startPdpServer({ policies: { current: broken }, port: 0, host: '127.0.0.1', logger });
  const response = await fetch(`http://127.0.0.1:${other.port}${RESOLUTION}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  await other.close();
  expect(response.status).toBe(500);
  expect(await response.text()).toBe('The PDP failed.');
  expect(lines).toEqual(['error ["The PDP failed",{"error":{}}]']);
});
