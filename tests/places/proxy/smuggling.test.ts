import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readHead } from '../../../src/places/proxy/request-head.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { connected, exchanged, restOf } from '../../support/wire.ts';
import { answering, SECRET, startBoth, startRawApplication, startProxied } from './setup.ts';

afterEach(closeAll);

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
/** Everything is enforced but what is below /open, which a smuggled request must not borrow. */
const ROUTES = { routes: [{ path: '/open/**', pass: true }] };

function post(fields: string, body: string, version = '1.1'): string {
  return `POST /a HTTP/${version}\r\nHost: a\r\n${fields}\r\n\r\n${body}`;
}

const AMBIGUOUS: readonly (readonly [string, string])[] = [
  ['CL.TE', post('Content-Length: 6\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SMUGGLED}`)],
  ['TE.CL', post('Transfer-Encoding: chunked\r\nContent-Length: 4', `2e\r\n${SMUGGLED}\r\n0\r\n\r\n`)],
  ['TE.TE', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${SMUGGLED}`)],
  ['TE.TE in one field', post('Transfer-Encoding: identity, chunked', `0\r\n\r\n${SMUGGLED}`)],
  ['TE: xchunked', post('Transfer-Encoding: xchunked', `0\r\n\r\n${SMUGGLED}`)],
  ['TE: chunked twice', post('Transfer-Encoding: chunked, chunked', `0\r\n\r\n${SMUGGLED}`)],
  ['TE with a tab', post('Transfer-Encoding:\tgzip, chunked', `0\r\n\r\n${SMUGGLED}`)],
  ['TE with a space before the colon', post('Transfer-Encoding : chunked', `0\r\n\r\n${SMUGGLED}`)],
  ['TE in HTTP/1.0', post('Transfer-Encoding: chunked', `0\r\n\r\n${SMUGGLED}`, '1.0')],
  ['two lengths', post('Content-Length: 0\r\nContent-Length: 45', SMUGGLED)],
  ['two lengths in one field', post('Content-Length: 0, 45', SMUGGLED)],
  ['a length with a sign', post('Content-Length: +5', 'hello')],
  ['a length in hexadecimal', post('Content-Length: 0x5', 'hello')],
  ['a negative length', post('Content-Length: -1', SMUGGLED)],
  ['a length with a space', post('Content-Length: 4 5', SMUGGLED)],
  ['obs-fold', post('X-A: b\r\n Content-Length: 45\r\nContent-Length: 0', SMUGGLED)],
  ['obs-fold of TE', post('Transfer-Encoding:\r\n chunked\r\nContent-Length: 4', `0\r\n\r\n${SMUGGLED}`)],
  ['a bare line feed', 'GET /a HTTP/1.1\nHost: a\nX-A: b\r\n\r\n'],
  [
    'a bare line feed in a field',
    `GET /a HTTP/1.1\r\nHost: a\r\nX-A: b\nContent-Length: 45\r\n\r\n${SMUGGLED}`,
  ],
  ['a bare carriage return', 'GET /a HTTP/1.1\r\nHost: a\r\nX-A: b\rX-C: d\r\n\r\n'],
  ['a null byte', 'GET /a HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n'],
  ['a chunk size that is too large', post('Transfer-Encoding: chunked', 'fffffffffffffffff\r\nx')],
  ['a chunk size that is no number', post('Transfer-Encoding: chunked', `0x0\r\n\r\n${SMUGGLED}`)],
  ['a chunk without its end', post('Transfer-Encoding: chunked', `3\r\nabcX\r\n0\r\n\r\n`)],
  ['two hosts', 'GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['no host', 'GET /a HTTP/1.1\r\n\r\n'],
  ['a list of hosts', 'GET /a HTTP/1.1\r\nHost: a,b\r\n\r\n'],
  ['a host with a path', 'GET /a HTTP/1.1\r\nHost: a/open/x\r\n\r\n'],
  ['a target for another host', 'GET http://b/a HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a target without a slash', 'GET a HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['CONNECT', 'CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a tab as separator', 'GET\t/a\tHTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an unknown method', 'G3T /a HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['HTTP/0.9', 'GET /a\r\n\r\n'],
  ['HTTP/2 in clear text', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
];

describe('a message that other parsers could read in another way never reaches the application', () => {
  test.each(AMBIGUOUS)('%s', async (_name, message) => {
    const { proxyPort, application } = await startBoth(answering('{"a":1}'), ROUTES);
    const received = await exchanged(proxyPort, message);
    expect(application.received).toEqual([]);
    expect(received).toMatch(/^HTTP\/1\.1 (?:4\d\d|508) /u);
  });
});

/** A request as a parser reads it that refuses nothing. */
function lenientlyRead(httpVersion: string, fields: readonly string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  const rawHeaders = ['Host', 'a', ...fields];
  return Object.assign(request, { method: 'POST', url: '/a', httpVersion, rawHeaders });
}

test.each([
  ['two lengths', '1.1', ['Content-Length', '0', 'Content-Length', '45']],
  ['a length and chunks', '1.1', ['Content-Length', '6', 'Transfer-Encoding', 'chunked']],
  ['chunks in HTTP/1.0', '1.0', ['Transfer-Encoding', 'chunked']],
])('the proxy itself refuses %s, should the parser let them through', (_name, version, fields) => {
  const refused = expect.objectContaining({ code: 'http-malformed' });
  expect(() => readHead(lenientlyRead(version, fields))).toThrow(refused);
});

test('what comes after a request that is refused on a connection is not read as a request', async () => {
  const { proxyPort, application } = await startBoth(answering('{"a":1}'), ROUTES);
  await exchanged(
    proxyPort,
    `${post('Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\n')}${SMUGGLED}`,
  );
  expect(application.received).toEqual([]);
});

test('a request that is refused has one answer, whatever its body is', async () => {
  const { proxyPort } = await startBoth(answering('{"a":1}'), ROUTES);
  const received = await exchanged(proxyPort, post('Transfer-Encoding: xchunked', '0\r\n\r\n'));
  expect(received.match(/HTTP\/1\.1 /gu)).toHaveLength(1);
  expect(received).toMatch(/"detail":"The transfer encoding is not chunked\..*\}$/u);
});

describe.each([
  ['in chunks', '1.1', {}],
  ['with a length', '1.1', { 'content-length': '300' }],
  ['without either', '1.0', {}],
])('no other answer gets into one that has begun, %s', (_, version, fields) => {
  test.each(['no HTTP\r\n\r\n', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'])('after %j', async (next) => {
    const { proxyPort } = await startBoth(
      (_request, response) => void response.writeHead(200, fields).write('part'),
      ROUTES,
    );
    const socket = await connected(proxyPort);
    const rest = restOf(socket).catch(() => 'reset');
    const keepAlive = 'Connection: keep-alive\r\n';
    socket.write(`GET /open/a HTTP/${version}\r\nHost: a\r\n${keepAlive}\r\n`);
    setTimeout(() => socket.write(next), 100);
    const received = await rest;
    expect(received).not.toContain('HTTP/1.1 400');
    expect(received).toMatch(version === '1.0' ? /^reset$/u : /(?:part(?:\r\n)?|^reset)$/u);
  });
});

test('requests that are sent ahead are forwarded once each, in order, and answered in order', async () => {
  const { proxyPort, application } = await startBoth((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"url":"${request.url ?? ''}"}`);
  });
  const first = 'POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody';
  const second = 'POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n';
  const third = 'GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const received = await exchanged(proxyPort, first + second + third);
  expect(application.received.map(({ url, body }) => [url, body])).toEqual([
    ['/1', 'body'],
    ['/2', 'body'],
    ['/3', ''],
  ]);
  expect(received.match(/\{"url":"\/\d"\}/gu)).toEqual(['{"url":"/1"}', '{"url":"/2"}', '{"url":"/3"}']);
});

test('a target in absolute form for the same host is forwarded in origin form', async () => {
  const { proxyPort, application } = await startBoth(answering('{"a":1}'));
  await exchanged(proxyPort, 'GET http://A/b?c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(application.received.map(({ url }) => url)).toEqual(['/b?c']);
});

test.each([
  '/health/..%2fcustomers/7',
  '/health/..;/customers/7',
  '/customers/../health/x',
  '/CUSTOMERS/7',
  '//health//..//customers//7',
  '/health/%2e%2e/customers/7',
  '/customers%5c7',
  '/customers%00/7',
  '/%43ustomers/7',
])('no path leads around a route: %s', async (path) => {
  const { proxyPort } = await startBoth(answering(`{"ssn":"${SECRET}"}`), {
    routes: [{ path: '/customers/**' }],
    otherwise: { pass: true },
  });
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  expect(await exchanged(proxyPort, request)).not.toContain(SECRET);
});

test('header fields of the application cannot add others', async () => {
  const application = await startRawApplication((socket) => {
    socket.end(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-A: b\r\n X-Folded: c\r\nContent-Length: 2\r\n\r\n{}',
    );
  });
  const { proxyPort } = await startProxied(application.url);
  const socket = await connected(proxyPort);
  socket.write('GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(await restOf(socket)).not.toMatch(/^\s*X-Folded/mu);
});
