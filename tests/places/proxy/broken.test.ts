import { request as send } from 'node:http';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { startProvider } from '../../identity/provider.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, problemIn } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { startHeldPdp } from '../../support/held-pdp.ts';
import { connected, exchanged, restOf } from '../../support/wire.ts';
import { startService } from '../../support/service.ts';
import { open as openAnswer, settled, unending } from '../answer/record-streams.ts';
import {
  answering,
  SECRET,
  startApplication,
  startBoth,
  startProxied,
  startRawApplication,
} from './setup.ts';

afterEach(closeAll);

const BODY = `{"ssn":"${SECRET}"}`;
const GET = 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const PASS = { otherwise: { pass: true } };

/** What the proxy sends if the application sends these bytes and then ends or resets the connection. */
async function receivedFor(
  bytes: string,
  end: 'end' | 'reset',
  written = {},
  request = GET,
): Promise<string> {
  const application = await startRawApplication((socket: Socket) => {
    socket.write(bytes, 'latin1', () =>
      end === 'end' ? socket.end() : setTimeout(() => socket.resetAndDestroy(), 20),
    );
  });
  const { proxyPort } = await startProxied(application.url, written);
  return exchanged(proxyPort, request).catch(() => 'reset');
}

function head(fields: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${fields}\r\n\r\n`;
}

describe('an answer that breaks off', () => {
  test.each([
    ['before its length', `${head(`Content-Length: ${BODY.length + 1}`)}${BODY}`, 'end'],
    ['in a chunk', `${head('Transfer-Encoding: chunked')}ff\r\n${BODY}`, 'end'],
    [
      'after a chunk',
      `${head('Transfer-Encoding: chunked')}${BODY.length.toString(16)}\r\n${BODY}\r\n`,
      'end',
    ],
    ['with a reset', `${head(`Content-Length: ${BODY.length + 1}`)}${BODY}`, 'reset'],
    ['with half of its JSON, without a length', head('Connection: close') + BODY.slice(0, -1), 'end'],
    ['with a reset, without a length', head('Connection: close') + BODY, 'reset'],
    ['in its head', 'HTTP/1.1 200 OK\r\nContent-Ty', 'end'],
    ['at once', '', 'reset'],
  ] as const)('%s is answered with 502', async (_name, bytes, end) => {
    const received = await receivedFor(bytes, end);
    expect(received).toMatch(/^HTTP\/1\.1 502 /u);
    expect(received).not.toContain(SECRET);
  });

  test.each([
    ['more than its length', `${head('Content-Length: 2')}{}${BODY}`],
    ['two lengths', `${head('Content-Length: 2\r\nContent-Length: 18')}${BODY}`],
    ['a length and chunks', `${head('Content-Length: 2\r\nTransfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`],
    ['a bare line feed', 'HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 2\n\n{}'],
    ['a second answer', `${head('Content-Length: 2')}{}HTTP/1.1 200 OK\r\nX-Secret: ${SECRET}\r\n\r\n`],
    ['no HTTP', `SSH-2.0 ${SECRET}\r\n`],
  ])('or has %s never gives more than one answer, and nothing of the rest', async (_name, bytes) => {
    const received = await receivedFor(bytes, 'end');
    expect(received.match(/HTTP\/1\.1 \d{3} /gu)).toHaveLength(1);
    expect(received).not.toContain(SECRET);
  });

  test.each([
    ['two lengths', `${head('Content-Length: 2\r\nContent-Length: 18')}${BODY}`],
    ['no HTTP', `SSH-2.0 ${SECRET}\r\n`],
  ])('is said not to be valid HTTP if it has %s', async (_name, bytes) => {
    expect(await receivedFor(bytes, 'end')).toContain('"The answer of the application is not valid HTTP."');
  });

  test.each(['gzip, chunked', 'gzip', 'chunked, chunked', 'identity', 'constructor'])(
    'is refused if its transfer coding is %s, which nothing would undo, also on a route that passes',
    async (coding) => {
      const bytes = `${head(`Transfer-Encoding: ${coding}`)}5\r\nhello\r\n0\r\n\r\n`;
      const received = await receivedFor(bytes, 'end', PASS);
      expect(received).toMatch(/^HTTP\/1\.1 502 /u);
      expect(received).toMatch(/has a transfer coding other than chunked|is not valid HTTP/u);
    },
  );

  test('on a route that passes is never ended as if it were whole', async () => {
    const chunked = await receivedFor(`${head('Transfer-Encoding: chunked')}5\r\nhello\r\n`, 'reset', PASS);
    expect(chunked).not.toMatch(/\r\n0\r\n\r\n$/u);
    const open = await receivedFor(`${head('Connection: close')}hello`, 'reset', PASS);
    expect(open).toMatch(/hello(?:\r\n)?$/u);
    const known = await receivedFor(`${head('Content-Length: 10')}hello`, 'reset', PASS);
    expect(known).toMatch(/content-length: 10\r\n[\s\S]*\r\n\r\nhello$|^reset$/iu);
  });

  test('to a client of HTTP/1.0 is a reset, because the end of the connection would mean that it is whole', async () => {
    const request = 'GET /a HTTP/1.0\r\nHost: a\r\n\r\n';
    const bytes = `${head('Transfer-Encoding: chunked')}5\r\nhello\r\n`;
    expect(await receivedFor(bytes, 'reset', PASS, request)).toBe('reset');
  });
});

describe('an application that is too slow', () => {
  const proxy = { timeout: 100 };

  test('to answer is given up with 504', async () => {
    const { proxyPort } = await startBoth(() => undefined, { proxy });
    const answer = await call(proxyPort, { method: 'GET', path: '/a' });
    expect(problemIn(answer)).toMatchObject({
      status: 504,
      type: 'urn:authz-jsonmasking:error:upstream-timeout',
      detail: 'The application did not answer within 100 ms.',
    });
  });

  test('to send its JSON is given up with 504, however steadily it drips', async () => {
    const { proxyPort } = await startBoth(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('[');
        const drip = setInterval(() => response.write(' '), 10);
        response.once('close', () => clearInterval(drip));
      },
      { proxy },
    );
    expect((await call(proxyPort, { method: 'GET', path: '/a' })).status).toBe(504);
  });

  test.each([
    ['that is enforced', {}, 'Content-Length: 2', ['a', 'b']],
    ['that is enforced, in chunks', {}, 'Transfer-Encoding: chunked', ['1\r\na\r\n', '0\r\n\r\n']],
    ['that passes', PASS, 'Content-Length: 2', ['a', 'b']],
  ])('has its time once it has the request, on a route %s', async (_name, route, framing, pieces) => {
    const patient = { ...proxy, timeout: 1000 };
    const { proxyPort, application } = await startBoth(answering('{}'), { proxy: patient, ...route });
    const socket = await connected(proxyPort);
    socket.write(`POST /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${framing}\r\n\r\n`);
    for (const piece of pieces) {
      // oxlint-disable-next-line no-await-in-loop -- each comes later than the application may take
      await wait(1200);
      socket.write(piece);
    }
    expect(await restOf(socket)).toMatch(/^HTTP\/1\.1 200 /u);
    expect(application.received).toHaveLength(1);
  });

  test('to read a request is given up with 504', async () => {
    const application = await startRawApplication((socket) => socket.pause());
    const { proxyPort } = await startProxied(application.url, { proxy });
    const socket = await connected(proxyPort);
    socket.write('POST /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 100000000\r\n\r\n');
    const flood = setInterval(() => socket.writableNeedDrain || socket.write(Buffer.alloc(1_000_000)), 5);
    const [answer]: unknown[] = await once(socket, 'data');
    clearInterval(flood);
    expect(String(answer)).toMatch(/^HTTP\/1\.1 504 /u);
    socket.destroy();
  });
});

describe('a client that is too slow', () => {
  const written = { headersTimeout: 60_000, bodyTimeout: 100 };
  const begun = 'POST /a HTTP/1.1\r\nHost: a\r\n';

  test.each([
    ['its request, on a route that is enforced', {}, 'Content-Length: 10\r\n\r\nhalf'],
    ['its request, on a route that passes', PASS, 'Content-Length: 10\r\n\r\nhalf'],
    ['the end of its chunks', {}, 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ])('to send %s is answered with 408', async (_name, route, rest) => {
    const { proxyPort, logged } = await startBoth(answering('{}'), { ...written, ...route });
    const received = await exchanged(proxyPort, begun + rest);
    expect(received).toMatch(/^HTTP\/1\.1 408 /u);
    expect(received).toContain('urn:authz-jsonmasking:error:request-timeout');
    await eventually(() => logged.some((line) => line.includes('Proxied')));
    expect(JSON.parse(logged.find((line) => line.includes('Proxied')) ?? '')).toMatchObject({
      status: 408,
      error: 'request-timeout',
    });
  });

  test('to send its request has the request to the application broken off', async () => {
    let gone = 0;
    const application = await startRawApplication((socket) => socket.once('close', () => (gone += 1)));
    const { proxyPort } = await startProxied(application.url, written);
    await exchanged(proxyPort, `${begun}Content-Length: 10\r\n\r\nhalf`);
    await eventually(() => gone === 1);
    expect(gone).toBe(1);
  });

  test('for an answer that has begun has it cut', async () => {
    const application = await startRawApplication((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhalf');
    });
    const { proxyPort } = await startProxied(application.url, { ...written, ...PASS });
    const received = await exchanged(proxyPort, `${begun}Content-Length: 10\r\n\r\nhalf`).catch(
      () => 'reset',
    );
    expect(received).toMatch(/\r\n\r\nhalf$|^reset$/u);
  });
});

test('a client that does not read an answer that passes for too long has it cut', async () => {
  const body = 'x'.repeat(2 ** 25);
  const { proxyPort, logged } = await startBoth(answering(body), { ...PASS, answerTimeout: 200 });
  const socket = await connected(proxyPort);
  socket.pause();
  socket.write(GET);
  await eventually(() => logged.some((line) => line.includes('Proxied')));
  const received = await restOf(socket).catch(() => 'reset');
  expect(received.length).toBeLessThan(body.length);
});

test('an answer that passes to a client that does not read waits in the application, not in memory', async () => {
  const endless = unending('x'.repeat(65_536), {});
  const { proxyPort } = await startBoth(endless.answer, PASS);
  const answer = await openAnswer(proxyPort);
  answer.pause();
  expect(await settled(() => endless.sent)).toBeLessThan(2 ** 25);
  answer.destroy();
});

describe('a client that goes away', () => {
  test('before its token is verified has no request sent to the application, nor the PDP asked', async () => {
    const provider = await startProvider();
    const letGo = provider.holdNext();
    const { proxyPort, application, pdp, logged } = await startBoth(answering(BODY), {
      identity: { jwt: provider.jwt },
      otherwise: { vendor: { entityId: '${claims.sub}' } },
    });
    const socket = await connected(proxyPort);
    socket.write(`GET /a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${await provider.sign()}\r\n\r\n`);
    await eventually(() => provider.requests.length === 1);
    socket.destroy();
    await eventually(() => logged.some((line) => line.includes('Proxied')));
    letGo();
    const headers = { authorization: `Bearer ${await provider.sign()}` };
    expect((await call(proxyPort, { method: 'GET', path: '/b', headers })).status).toBe(200);
    expect(application.received.map(({ url }) => url)).toEqual(['/b']);
    expect(pdp.requests).toHaveLength(1);
  });

  test('has the request to the application and the question to the PDP given up', async () => {
    const pdp = await startHeldPdp();
    let gone = 0;
    const application = await startApplication((_request, response) => {
      response.once('close', () => (gone += 1));
    });
    const { proxyPort = 0 } = await startService({
      pdpUrl: `127.0.0.1:${pdp.port}`,
      proxy: { port: 8443, upstream: application.url },
    });
    const socket = await connected(proxyPort);
    socket.write(GET);
    await eventually(() => pdp.seen.asked === 1 && application.received.length === 1);
    socket.destroy();
    await eventually(() => pdp.seen.gone === 1 && gone === 1);
    expect([pdp.seen.gone, gone]).toEqual([1, 1]);
  });

  test('in the middle of its body has the request to the application broken off, not ended', async () => {
    let ended = 0;
    let aborted = 0;
    const application = await startRawApplication((socket) => {
      socket.once('close', () => (aborted += 1));
    });
    const { proxyPort } = await startProxied(application.url);
    const sent = send({ port: proxyPort, host: '127.0.0.1', method: 'POST', path: '/a' });
    sent.on('error', () => (ended += 1));
    sent.write('{"half":');
    await eventually(() => application.received.join('').includes('half'));
    sent.destroy();
    await eventually(() => aborted === 1);
    expect(application.received.join('')).not.toMatch(/0\r\n\r\n$/u);
    expect(ended).toBeLessThan(2);
  });
});

describe('without a decision', () => {
  test.each([
    [{ status: 500, body: '' }, 502],
    [{ status: 403, body: `{"reason":"no ${SECRET}"}` }, 403],
    [{ status: 401, body: '' }, 401],
    [{ body: '{}' }, 502],
  ])('nothing of the answer leaves: %j', async (pdp, status) => {
    const { proxyPort } = await startBoth(answering(BODY), {}, pdp);
    const answer = await call(proxyPort, { method: 'GET', path: '/a' });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });
});

test('the PDP is asked while the application is still working', async () => {
  const answer = Promise.withResolvers<void>();
  const { proxyPort, pdp } = await startBoth((_request, response) => {
    void answer.promise.then(() => response.writeHead(200, { 'content-type': 'application/json' }).end(BODY));
  });
  const called = call(proxyPort, { method: 'GET', path: '/a' });
  await eventually(() => pdp.requests.length === 1);
  answer.resolve();
  expect((await called).text).toBe('{"ssn":"***"}');
});

test('too many requests in progress are refused with 503 before the application gets them', async () => {
  const { proxyPort, application } = await startBoth(() => undefined, { maxInFlight: 1 });
  const first = await connected(proxyPort);
  first.write(GET);
  await eventually(() => application.received.length === 1);
  const answer = await call(proxyPort, { method: 'GET', path: '/a' });
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(application.received).toHaveLength(1);
  first.destroy();
});

test('of two bodies that are larger than maxInFlightBody together, one is refused with 503 while they arrive', async () => {
  const { proxyPort } = await startBoth(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(' '.repeat(600_000));
    },
    { maxInFlightBody: 1 },
  );
  const sockets = [await connected(proxyPort), await connected(proxyPort)];
  sockets.forEach((socket) => socket.write(GET));
  const [first]: unknown[] = await Promise.race(sockets.map((socket) => once(socket, 'data')));
  expect(String(first)).toMatch(/^HTTP\/1\.1 503 /u);
  sockets.forEach((socket) => socket.destroy());
});

test('an answer of the application before it has read the request does not hang the connection', async () => {
  const application = await startRawApplication((socket) => {
    socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  const { proxyPort } = await startProxied(application.url);
  const socket = await connected(proxyPort);
  socket.write(`POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(1000)}`);
  expect(await restOf(socket)).toMatch(/^HTTP\/1\.1 (?:413|502) /u);
});

test('while the service shuts down, requests in progress are finished and new ones are refused', async () => {
  const answer = Promise.withResolvers<void>();
  const { proxyPort, application, lifecycle } = await startBoth((_request, response) => {
    void answer.promise.then(() => response.writeHead(200, { 'content-type': 'application/json' }).end(BODY));
  });
  const first = call(proxyPort, { method: 'GET', path: '/a' });
  await eventually(() => application.received.length === 1);
  lifecycle.drain();
  expect((await call(proxyPort, { method: 'GET', path: '/a' })).status).toBe(503);
  answer.resolve();
  expect(await first).toMatchObject({ status: 200, text: '{"ssn":"***"}', headers: { connection: 'close' } });
});
