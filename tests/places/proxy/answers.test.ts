import type { RequestListener } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, problemIn, type Answer } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { exchanged } from '../../support/wire.ts';
import { answering, SECRET, startBoth, startProxied, startRawApplication } from './setup.ts';

afterEach(closeAll);

const BODY = `{"id": 1.10, "ssn": "${SECRET}"}`;
const MASKED = '{"id": 1.10, "ssn": "***"}';

async function get(handler: RequestListener, written = {}, method = 'GET'): Promise<Answer> {
  const { proxyPort } = await startBoth(handler, written);
  return call(proxyPort, { method, path: '/a' });
}

/** The status and the error of an answer, and whether it has anything of the application's body. */
function refusalOf(answer: Answer): unknown {
  const { status, type } = problemIn(answer);
  return { status, type, leaks: JSON.stringify(answer).includes(SECRET) };
}

const REFUSED = {
  status: 502,
  type: 'urn:authz-jsonmasking:error:response-not-enforceable',
  leaks: false,
};

describe('a JSON answer is enforced', () => {
  test.each([200, 201, 202, 203, 299, 302, 400, 401, 404, 409, 422, 500, 503])(
    'with the status %d',
    async (status) => {
      const answer = await get(answering(BODY, { 'content-type': 'application/json' }, status));
      expect(answer).toMatchObject({ status, text: MASKED });
      expect(answer.headers['content-length']).toBe(String(MASKED.length));
    },
  );

  test.each([
    'application/json',
    'APPLICATION/JSON ; Charset="UTF-8"',
    'application/problem+json',
    'application/vnd.api+json; profile="x"',
    'application/json; charset=utf8',
  ])('with the media type %s', async (type) => {
    const answer = await get(answering(BODY, { 'content-type': type }));
    expect(answer.text).toBe(MASKED);
    expect(answer.headers['content-type']).toBe(type);
  });

  test.each([
    ['gzip', gzipSync(BODY)],
    ['x-gzip', gzipSync(BODY)],
    ['deflate', deflateSync(BODY)],
    ['br', brotliCompressSync(BODY)],
    ['zstd', zstdCompressSync(BODY)],
    ['identity', Buffer.from(BODY)],
  ])('if the application encodes it with %s all the same', async (coding, body) => {
    const answer = await get(
      answering(body, { 'content-type': 'application/json', 'content-encoding': coding }),
    );
    expect(answer.text).toBe(MASKED);
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  test('in chunks, with trailers, which are dropped', async () => {
    const answer = await get((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', trailer: 'X-Sum' });
      response.write(BODY.slice(0, 9));
      response.addTrailers({ 'x-sum': SECRET });
      response.end(BODY.slice(9));
    });
    expect(answer.text).toBe(MASKED);
    expect(JSON.stringify(answer.headers)).not.toMatch(/trailer|x-sum/u);
  });

  test('with the parameters and the vendor of its route', async () => {
    const { proxyPort, pdp } = await startBoth(
      answering(`{"data":{"items":[{"ssn":"${SECRET}"}]},"ssn":"public"}`),
      {
        routes: [
          {
            path: '/customers/**',
            parameters: { root: 'data.items', maskString: 'X' },
            vendor: { clientId: 'portal', entityId: '${path} ${method}' },
          },
        ],
      },
    );
    const { text } = await call(proxyPort, { method: 'GET', path: '//customers/7?x' });
    expect(text).toBe('{"data":{"items":[{"ssn":"X"}]},"ssn":"public"}');
    expect(JSON.parse(pdp.requests[0]?.body.toString() ?? '')).toMatchObject({
      clientId: 'portal',
      entityId: '/customers/7 GET',
    });
  });
});

describe('an answer without a body passes', () => {
  test.each([204, 304])('with the status %d', async (status) => {
    const answer = await get(answering('', { etag: '"x"', 'x-own': '1' }, status));
    expect(answer).toMatchObject({ status, text: '', headers: { 'x-own': '1' } });
    expect(answer.headers).not.toHaveProperty('etag');
    expect(answer.headers).not.toHaveProperty('content-length');
  });

  test.each([
    ['a redirect', { location: '/b', 'content-length': '0' }, 302],
    ['an empty answer without a type', { 'content-length': '0' }, 200],
    ['an empty answer in chunks', { 'transfer-encoding': 'chunked' }, 201],
    ['an empty answer of another type', { 'content-type': 'text/html', 'content-length': '0' }, 200],
    ['an empty JSON answer', { 'content-type': 'application/json' }, 200],
  ])('as %s', async (_name, headers, status) => {
    const answer = await get(answering('', headers, status));
    expect(answer).toMatchObject({ status, text: '', headers: { 'content-length': '0' } });
  });

  test('with 205, even if the application sends one', async () => {
    const { application, proxyPort } = await startBoth((_request, response) => {
      response.socket?.end(
        `HTTP/1.1 205 Reset Content\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
      );
    });
    const answer = await call(proxyPort, { method: 'GET', path: '/a' });
    expect(answer).toMatchObject({ status: 205, text: '', headers: { 'content-length': '0' } });
    expect(application.received).toHaveLength(1);
  });

  test('with 205, and the rest of a body that the application sends is not read', async () => {
    let isClosed = false;
    const application = await startRawApplication((socket) => {
      socket.once('close', () => (isClosed = true));
      socket.write('HTTP/1.1 205 Reset Content\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n');
    });
    const { proxyPort } = await startProxied(application.url);
    expect(await call(proxyPort, { method: 'GET', path: '/a' })).toMatchObject({ status: 205, text: '' });
    await eventually(() => isClosed);
    expect(isClosed).toBe(true);
  });

  test('to HEAD, without the length and the validators of the answer to GET', async () => {
    const handler = answering(BODY, {
      'content-type': 'text/html',
      'content-length': '100',
      etag: '"x"',
      'last-modified': 'Sat, 21 Nov 2026 00:00:00 GMT',
    });
    const { proxyPort, pdp } = await startBoth(handler);
    const answer = await call(proxyPort, { method: 'HEAD', path: '/a' });
    expect(answer).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'text/html' } });
    for (const name of ['content-length', 'etag', 'last-modified'])
      expect(answer.headers).not.toHaveProperty(name);
    expect(pdp.requests).toEqual([]);
  });

  test('before the final one, without anything but links', async () => {
    const { proxyPort } = await startBoth((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload', 'x-secret': SECRET });
      response.writeHead(200, { 'content-type': 'application/json' }).end(BODY);
    });
    const received = await exchanged(proxyPort, 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(received).toMatch(
      /^HTTP\/1\.1 103 Early Hints\r\nlink: <\/style\.css>; rel=preload\r\n\r\nHTTP\/1\.1 200/iu,
    );
    expect(received).not.toContain(SECRET);
  });
});

describe('an answer of a route that passes', () => {
  const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-Own: 1\r\nX-Hop: 1\r\nConnection: X-Hop\r\n\r\n';
  const END = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\nTE: hop\r\n\r\n`;

  /** What a client of this version of HTTP gets, if the application sends so many interim answers. */
  async function receivedBy(version: string, interim = 1): Promise<string> {
    const { url } = await startRawApplication((socket) => socket.end(HINTS.repeat(interim) + END));
    const { proxyPort } = await startProxied(url, { otherwise: { pass: true } });
    return exchanged(proxyPort, `GET /a HTTP/${version}\r\nHost: a\r\nConnection: close\r\n\r\n`);
  }

  test('has its interim answers and its trailers, without what holds between neighbours', async () => {
    const received = await receivedBy('1.1');
    expect(received).toMatch(/^HTTP\/1\.1 103 [^]*\r\nX-Own: 1\r\n[^]*HTTP\/1\.1 200 [^]*\r\nX-Sum: 1\r\n/u);
    expect(received).not.toMatch(/X-Hop|hop/u);
  });

  test('has no interim answers for a client of HTTP/1.0, which knows none', async () => {
    expect(await receivedBy('1.0')).toMatch(/^HTTP\/1\.1 200 (?:(?!HTTP)[^])*\{\}$/u);
  });

  test('has a hundred interim answers at most, which a client may not read', async () => {
    expect(await receivedBy('1.1', 100)).toMatch(/^(?:HTTP\/1\.1 103 (?:(?!HTTP)[^])*){100}HTTP\/1\.1 200 /u);
    const tooMany = await receivedBy('1.1', 101);
    expect(tooMany).toMatch(/^(?:HTTP\/1\.1 103 (?:(?!HTTP)[^])*){100}HTTP\/1\.1 502 /u);
    expect(tooMany).toContain('more than 100 interim answers');
  });
});

describe('an answer that cannot be read is refused, and its body never leaves', () => {
  const json = { 'content-type': 'application/json' };
  const cases: readonly [string, RequestListener][] = [
    ['HTML', answering(BODY, { 'content-type': 'text/html' })],
    ['text', answering(BODY, { 'content-type': 'text/plain' })],
    ['text/xml', answering(BODY, { 'content-type': 'text/xml' })],
    ['no media type', answering(BODY, {})],
    ['two media types', answering(BODY, { 'content-type': ['application/json', 'text/html'] })],
    ['two media types in one field', answering(BODY, { 'content-type': 'application/json, text/html' })],
    [
      'two media types in one field, the first with a parameter',
      answering(BODY, { 'content-type': 'text/html; charset=utf-8, application/json' }),
    ],
    ['any media type', answering(BODY, { 'content-type': '*/*' })],
    ['a media type that cannot be read', answering(BODY, { 'content-type': 'json' })],
    ['UTF-16', answering(BODY, { 'content-type': 'application/json; charset=utf-16' })],
    ['ISO 8859-1', answering(BODY, { 'content-type': 'application/json; charset=iso-8859-1' })],
    ['a charset after a space', answering(BODY, { 'content-type': 'application/json; charset = utf-16' })],
    ['two charsets', answering(BODY, { 'content-type': 'application/json; charset=utf-8; charset=utf-16' })],
    ['zstd that it is not in', answering(BODY, { ...json, 'content-encoding': 'zstd' })],
    ['two encodings', answering(gzipSync(gzipSync(BODY)), { ...json, 'content-encoding': 'gzip, gzip' })],
    ['an encoding that it does not have', answering(BODY, { ...json, 'content-encoding': 'gzip' })],
    [
      'an encoding that is not whole',
      answering(gzipSync(BODY).subarray(0, -9), { ...json, 'content-encoding': 'gzip' }),
    ],
    ['206', answering(BODY, { ...json, 'content-range': 'bytes 0-9/10' }, 206)],
    ['226', answering(BODY, json, 226)],
    ['206 without a body', answering('', { ...json, 'content-range': 'bytes */10' }, 206)],
    ['half of its JSON', answering(BODY.slice(0, -1), json)],
    ['two texts of JSON', answering(`${BODY}\n${BODY}`, json)],
    ['a byte order mark', answering(`\ufeff${BODY}`, json)],
    ['bytes that are not UTF-8', answering(Buffer.from(`["${SECRET}\u00ff"]`, 'latin1'), json)],
    ['JSON that is a string', answering(`"${SECRET}"`, json)],
    ['JSON that is a number', answering('42', json)],
    ['JSON that is too deep', answering(`${'['.repeat(600)}"${SECRET}"${']'.repeat(600)}`, json)],
    ['a script', answering(`callback(${BODY})`, { 'content-type': 'application/javascript' })],
    ['a form', answering(`ssn=${SECRET}`, { 'content-type': 'multipart/form-data; boundary=x' })],
  ];
  test.each(cases)('%s', async (_name, handler) => {
    expect(refusalOf(await get(handler))).toEqual(REFUSED);
  });

  test('also in chunks, and with an error status', async () => {
    const answer = await get((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/html' }).write(BODY);
      response.end();
    });
    expect(refusalOf(answer)).toEqual(REFUSED);
  });

  test('also if it has no root and the route has one', async () => {
    expect(refusalOf(await get(answering(BODY), { otherwise: { parameters: { root: 'data' } } }))).toEqual(
      REFUSED,
    );
  });

  test('also if it is larger than proxy.maxBody, as it comes or decompressed', async () => {
    const large = JSON.stringify({ ssn: SECRET, more: 'x'.repeat(2 ** 20) });
    const written = { proxy: { maxBody: 1 } };
    expect(refusalOf(await get(answering(large), written))).toEqual(REFUSED);
    const coded = { ...json, 'content-encoding': 'gzip' };
    const answer = await get(answering(gzipSync(large), coded), written);
    expect(refusalOf(answer)).toEqual(REFUSED);
    expect(answer.text).toContain('it has more than 1048576 bytes (proxy.maxBody)');
  });

  test('also if masking makes it longer than maxAnswer', async () => {
    const written = { maxAnswer: 1 };
    const record = '{"ssn":1},';
    expect((await get(answering(`[${record.repeat(70_000)}{}]`), written)).status).toBe(200);
    const answer = await get(answering(`[${record.repeat(90_000)}{}]`), written);
    expect(refusalOf(answer)).toEqual(REFUSED);
    expect(answer.text).toContain('(maxAnswer)');
  });

  test('also if it says that it is longer than there is memory', async () => {
    const { url } = await startRawApplication((socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9007199254740991\r\n\r\n',
      );
      socket.write('x'.repeat(2 ** 21));
    });
    const { proxyPort } = await startProxied(url, { proxy: { maxBody: 1 } });
    expect(refusalOf(await call(proxyPort, { method: 'GET', path: '/a' }))).toEqual(REFUSED);
  });

  test('also if it has no end', async () => {
    const { proxyPort } = await startBoth(
      (_request, response) => {
        response.writeHead(200, json);
        const more = (): void => {
          while (!response.destroyed && response.write(`"${'x'.repeat(60_000)}",`));
        };
        response.write('[').valueOf();
        response.on('drain', more);
        more();
      },
      { proxy: { maxBody: 1 } },
    );
    expect(refusalOf(await call(proxyPort, { method: 'GET', path: '/a' }))).toEqual(REFUSED);
  });
});

describe('nonJson: pass lets other media types through', () => {
  const written = { otherwise: { nonJson: 'pass' } };

  test('as they are, for no shared cache', async () => {
    const html = gzipSync('<p>hello</p>');
    const answer = await get(
      answering(html, { 'content-type': 'text/html', 'content-encoding': 'gzip', etag: '"x"' }),
      written,
    );
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'private' });
  });

  test.each([
    ...['text/json', 'text/x-json; charset=utf-8', 'application/x-json'].map((type) => [type, BODY] as const),
    ...[
      'application/ndjson',
      'text/x-ndjson',
      'text/jsonl',
      'application/x-jsonlines',
      'application/a+jsonl',
      'application/x-ldjson',
      'application/stream+json',
    ].map((type) => [type, `${BODY}\n${BODY}\n`] as const),
  ])('but not JSON by the name %s', async (type, body) => {
    const ofStandard = body.endsWith('\n') ? 'application/x-ndjson' : 'application/json';
    const answer = await get(answering(body, { 'content-type': type }), written);
    const expected = await get(answering(body, { 'content-type': ofStandard }), written);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(expected.text);
    expect(answer.text).not.toBe(body);
  });

  test('whatever their names', async () => {
    for (const type of ['text/constructor', 'application/__proto__', 'text/jason']) {
      // oxlint-disable-next-line no-await-in-loop -- one service at a time
      const answer = await get(answering('hello', { 'content-type': type }), written);
      expect(answer).toMatchObject({ status: 200, text: 'hello' });
    }
  });

  test.each([
    'application/json5',
    'application/X-AMZ-JSON-1.1',
    'text/jsonp',
    'image/json',
    'a/x-json-stream',
    'multipart/mixed; boundary=x',
    'application/http',
  ])('but not a kind of JSON that is not known, or what may have parts that are JSON: %s', async (type) => {
    const answer = await get(answering(BODY, { 'content-type': type }), written);
    expect(refusalOf(answer)).toEqual(REFUSED);
  });

  test('but not a sequence of JSON texts of a more particular type', async () => {
    const type = { 'content-type': 'application/geo+json-seq' };
    const answer = await get(answering(`\u001e${BODY}\n`, type), written);
    const expected = await get(answering(BODY), written);
    expect(answer.text).toBe(`\u001e${expected.text}\n`);
  });

  test('without their trailers', async () => {
    const { proxyPort } = await startBoth((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', trailer: 'ETag' }).write('<p>hello</p>');
      response.addTrailers({ etag: '"x"' });
      response.end();
    }, written);
    const received = await exchanged(proxyPort, 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(received).toMatch(/<p>hello<\/p>\r\n0\r\n\r\n$/u);
    expect(received).not.toMatch(/etag/iu);
  });

  test.each([
    ['no media type', answering(BODY, {})],
    ['a broken JSON text', answering(BODY.slice(1))],
    ['JSON in UTF-16', answering(BODY, { 'content-type': 'application/json; charset=utf-16' })],
    ['JSON in a part', answering(BODY, { 'content-type': 'application/json' }, 206)],
  ])('but not %s', async (_name, handler) => {
    expect(refusalOf(await get(handler, written))).toEqual(REFUSED);
  });
});

describe('the header fields of an enforced answer', () => {
  test('have nothing that describes the original body', async () => {
    const dropped = {
      etag: '"x"',
      'last-modified': 'Sat, 21 Nov 2026 00:00:00 GMT',
      'accept-ranges': 'bytes',
      'content-md5': 'x',
      digest: 'x',
      'content-digest': 'x',
      'repr-digest': 'x',
      age: '10',
      'proxy-authenticate': 'Basic',
      'x-mine': '1',
    };
    const neighbours = { 'keep-alive': 'timeout=9', connection: 'X-Mine' };
    const type = { 'content-type': 'application/json' };
    const handler = answering(BODY, { ...type, ...dropped, ...neighbours, 'x-own': 'a' });
    const { headers } = await get(handler);
    expect(headers).toMatchObject({ 'x-own': 'a' });
    for (const name of Object.keys(dropped)) expect(headers).not.toHaveProperty(name);
    expect(headers['keep-alive']).not.toBe('timeout=9');
  });

  test('keep repeated fields, such as cookies, and the reason phrase', async () => {
    const { proxyPort } = await startBoth((_request, response) => {
      const fields = ['Content-Type', 'application/json', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'];
      response.writeHead(200, 'All Right', fields);
      response.end('{}');
    });
    const received = await exchanged(proxyPort, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 200 All Right\r\n/u);
    expect(received).toContain('Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n');
  });

  test.each([
    [undefined, 'private'],
    ['public, max-age=60', 'private, max-age=60'],
    ['max-age=60, s-maxage=600, immutable', 'private, max-age=60'],
    ['no-store', 'private, no-store'],
    ['proxy-revalidate, max-age=5', 'private, max-age=5'],
    ['private="set-cookie, x", max-age=5', 'private, max-age=5'],
    ['PUBLIC', 'private'],
    ['no-cache="a, public"', 'private, no-cache="a, public"'],
    [
      String.raw`no-cache="a\", public, b", max-age=5`,
      String.raw`private, no-cache="a\", public, b", max-age=5`,
    ],
    [String.raw`no-cache="a\\", public`, String.raw`private, no-cache="a\\"`],
  ])('turn Cache-Control: %s into %s', async (written, expected) => {
    const handler = answering(BODY, {
      'content-type': 'application/json',
      'surrogate-control': 'max-age=600',
      'cdn-cache-control': 'max-age=600',
      'x-accel-expires': '600',
      'x-litespeed-cache-control': 'public, max-age=600',
      'x-sendfile2': '/etc/passwd 0-',
      expires: 'Sat, 21 Nov 2099 00:00:00 GMT',
      ...(written !== undefined && { 'cache-control': written }),
    });
    const { headers } = await get(handler);
    expect(headers['cache-control']).toBe(expected);
    for (const name of [
      'surrogate-control',
      'cdn-cache-control',
      'x-accel-expires',
      'expires',
      'x-litespeed-cache-control',
      'x-sendfile2',
    ])
      expect(headers).not.toHaveProperty(name);
  });

  test.each([
    [undefined, 'Authorization, x-user'],
    ['Accept-Encoding, authorization', 'Accept-Encoding, authorization, x-user'],
    ['*', '*'],
  ])('turn Vary: %s into %s', async (written, expected) => {
    const handler = answering(BODY, {
      'content-type': 'application/json',
      ...(written !== undefined && { vary: written }),
    });
    const { proxyPort } = await startBoth(handler, {
      trustedHeaders: ['X-User'],
      otherwise: { vendor: { entityId: '${headers.X-User}' } },
    });
    const { headers } = await call(proxyPort, { method: 'GET', path: '/a', headers: { 'x-user': 'jane' } });
    expect(headers.vary).toBe(expected);
  });
});
