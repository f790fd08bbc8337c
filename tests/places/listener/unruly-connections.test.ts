import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, stopLater } from '../../pdp/transport/setup.ts';
import { enforcing, problemIn } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { NO_RULES, startEnforcement, type Service } from '../../support/service.ts';
import { answersIn, connected, exchanged, restOf } from '../../support/wire.ts';

afterEach(closeAll);

const BODY = enforcing('[{"a":1}]');
const HEAD = 'POST /enforce HTTP/1.1\r\nHost: service\r\nContent-Type: application/json\r\n';
const PLAIN = `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
const LAST = `${HEAD}Connection: close\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

/** A caller that keeps its side of the connection open, whatever the service does. */
async function stubborn(port: number): Promise<Socket> {
  const socket = await connected(port);
  socket.on('error', () => undefined);
  stopLater(async () => void socket.destroy());
  return socket;
}

function connectionsOf({ server }: Service): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

describe('a connection whose caller never closes it is let go once it is answered', () => {
  test.each([
    ['its header does not end', 'POST /enforce HTTP/1.1\r\nX-A: a\r\n'],
    ['nothing but spaces comes', '\r\n\r\n\r\n'],
    ['its message is no HTTP', 'EHLO example.com\r\n\r\n'],
    ['its header is too large', `${HEAD}X-A: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['it asks for a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['its body is too large', `${HEAD}Content-Length: 99999999\r\n\r\n{`],
    ['its chunks are too large', `${HEAD}Transfer-Encoding: chunked\r\n\r\nfffffff\r\n{`],
    ['its body does not come', `${HEAD}Content-Length: 10\r\n\r\n{`],
    [
      'its body does not come where none is read',
      `PUT /nowhere HTTP/1.1\r\nHost: s\r\nContent-Length: 9\r\n\r\n`,
    ],
    ['it says that it is done', LAST],
  ])('when %s', async (_, bytes) => {
    const service = await startEnforcement(NO_RULES, {
      headersTimeout: 100,
      bodyTimeout: 100,
      keepAliveTimeout: 100,
    });
    const sockets = await Promise.all(Array.from({ length: 3 }, () => stubborn(service.port)));
    for (const socket of sockets) socket.resume().write(bytes);
    await eventually(async () => (await connectionsOf(service)) === 0);
    expect(await connectionsOf(service)).toBe(0);
  });
});

describe('requests that are sent ahead on one connection', () => {
  test('are answered one after the other', async () => {
    const service = await startEnforcement();
    let asked = 0;
    let most = 0;
    service.pdp.answer(() => {
      most = Math.max(most, ++asked - answered);
      return NO_RULES;
    });
    let answered = 0;
    service.server.on('request', (_request, response) => response.once('finish', () => answered++));
    const received = await exchanged(service.port, PLAIN.repeat(50) + LAST);
    expect(answersIn(received).map(({ status }) => status)).toEqual(Array.from({ length: 51 }, () => 200));
    expect(most).toBe(1);
  });

  test.each([
    ['that are enforced', PLAIN],
    ['that are as short as can be', 'GET / HTTP/1.1\r\n\r\n'],
  ])('in their thousands end the connection: those %s', async (_, message) => {
    const service = await startEnforcement({ ...NO_RULES, delay: 50 });
    const socket = await stubborn(service.port);
    socket.pause().write(message.repeat(5000));
    await eventually(async () => (await connectionsOf(service)) === 0);
    expect(service.pdp.requests.length).toBeLessThanOrEqual(101);
    expect(service.logged.length).toBeLessThanOrEqual(201);
  });

  test('end the connection when nobody reads the answers', async () => {
    const service = await startEnforcement(NO_RULES, { answerTimeout: 200 });
    const large = enforcing(JSON.stringify(['x'.repeat(3_000_000)]));
    const message = `${HEAD}Content-Length: ${large.length}\r\n\r\n${large}`;
    const socket = await stubborn(service.port);
    socket.pause().write(message.repeat(6));
    await eventually(async () => (await connectionsOf(service)) === 0);
    expect(service.pdp.requests.length).toBeLessThan(6);
  });
});

describe('a message that is valid and rare', () => {
  test.each([
    ['in absolute form', LAST.replace('/enforce', 'http://service/enforce')],
    [
      'that would upgrade to HTTP/2',
      LAST.replace('Connection: close', 'Upgrade: h2c\r\nConnection: upgrade, close'),
    ],
    [
      'that would upgrade to WebSocket',
      LAST.replace(
        'Connection: close',
        'Upgrade: websocket\r\nConnection: close, Upgrade\r\nSec-WebSocket-Key: a',
      ),
    ],
    ['of HTTP/1.0', LAST.replace('HTTP/1.1', 'HTTP/1.0')],
    ['of HTTP/1.0 without a Host', LAST.replace('HTTP/1.1\r\nHost: service', 'HTTP/1.0')],
    [
      'in chunks, with extensions and trailers',
      `${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\nTrailer: X-Late\r\n\r\n` +
        `${BODY.length.toString(16)};a=b\r\n${BODY}\r\n0\r\nX-Late: planted\r\nAuthorization: planted\r\n\r\n`,
    ],
    ['that waits to be told to go on', LAST.replace('Host', 'Expect: 100-continue\r\nHost')],
  ])('is served: one %s', async (_, message) => {
    const service = await startEnforcement();
    const received = await exchanged(service.port, message);
    expect(received.replace('HTTP/1.1 100 Continue\r\n\r\n', '')).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
    expect(received).toContain('[{"a":1}]');
    expect(service.pdp.requests).toHaveLength(1);
    expect(JSON.stringify(service.pdp.requests[0]?.rawHeaders)).not.toMatch(
      /planted|upgrade|websocket"|expect/iu,
    );
  });

  test('carries every field to the PDP, however many there are', async () => {
    const service = await startEnforcement();
    const fields = Array.from({ length: 1100 }, (_, i) => `a${i}:1\r\n`).join('');
    const received = await exchanged(
      service.port,
      LAST.replace('\r\n', `\r\n${fields}Authorization: Bearer t\r\n`),
    );
    expect(answersIn(received)).toMatchObject([{ status: 200 }]);
    expect(service.pdp.requests[0]?.headers['authorization']).toBe('Bearer t');
    expect(service.pdp.requests[0]?.rawHeaders).toContain('a1099');
  });
});

describe('a message that is malformed in a way that proxies read differently', () => {
  test.each([
    ['a bare CR in a field', `${HEAD}X-A: a\rX-B: b\r\n\r\n`],
    ['a bare CR in front of a line end', `${HEAD}X-A: a\r\r\n\r\n`],
    ['a folded line', `${HEAD}X-A: a\r\n\tb\r\n\r\n`],
    ['a folded first line', 'POST /enforce HTTP/1.1\r\n Host: service\r\n\r\n'],
    ['a space in front of a colon', `${HEAD}Content-Length : 5\r\n\r\n12345`],
    ['the same length twice', `${HEAD}Content-Length: 5\r\nContent-Length: 5\r\n\r\n12345`],
    ['a list of lengths', `${HEAD}Content-Length: 5, 5\r\n\r\n12345`],
    ['a length with a sign', `${HEAD}Content-Length: +5\r\n\r\n12345`],
    ['an encoding that is not the last', `${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['an unknown transfer encoding', `${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a NUL in a field', `${HEAD}X-A: \0\r\n\r\n`],
  ])('is refused: %s', async (_, message) => {
    const service = await startEnforcement();
    const answers = answersIn(await exchanged(service.port, message));
    expect(answers).toMatchObject([{ status: 400, headers: { connection: 'close' } }]);
    expect(answers.map(problemIn)).toMatchObject([{ type: 'urn:authz-jsonmasking:error:http-malformed' }]);
    expect(service.pdp.requests).toEqual([]);
  });
});

test.each([
  [10_000, [404, 200]],
  [1_000_000, [404]],
])(
  'a refused body of %d bytes is read to keep its connection only if it is short',
  async (length, statuses) => {
    const { port } = await startEnforcement();
    const refused = `PUT /nowhere HTTP/1.1\r\nHost: s\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`;
    const received = await exchanged(port, refused + LAST);
    expect(answersIn(received).map(({ status }) => status)).toEqual(statuses);
  },
);

test('a caller that ends its side after its request leaves no connection open', async () => {
  const service = await startEnforcement({ ...NO_RULES, delay: 50 });
  const socket = await connected(service.port);
  socket.end(PLAIN);
  await restOf(socket);
  await eventually(async () => (await connectionsOf(service)) === 0);
  expect(await connectionsOf(service)).toBe(0);
});
