import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, problemIn } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { exchanged } from '../../support/wire.ts';
import { BUFFERED, FULL_DUPLEX } from '../../../scripts/tools/envoy-configuration.ts';
import { describeEnvoy, type Answering } from './envoy.ts';
import { get, held, json, startChain } from './setup.ts';

const RECORDS = [{ id: 1, ssn: '123-45-6789' }];
const MASKED = '[{"id":1,"ssn":"***"}]';
const MODES = [
  ['BUFFERED', BUFFERED],
  ['FULL_DUPLEX_STREAMED', FULL_DUPLEX],
] as const;

/** Answers with text, and no more fields than these. */
function raw(body: string | Buffer, headers: Record<string, string>, status = 200): Answering {
  return (response) => void response.writeHead(status, headers).end(body);
}

const unfinished: Answering = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('[{"ssn":"123');
};

const withTrailers: Answering = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', trailer: 'x-digest' });
  response.write(JSON.stringify(RECORDS));
  response.addTrailers({ 'x-digest': 'abc' });
  response.end();
};

const textWithTrailers: Answering = (response) => {
  response.writeHead(200, { 'content-type': 'text/csv' }).write('a,b\n');
  response.addTrailers({ 'x-digest': 'abc' });
  response.end();
};

const onlyTrailers: Answering = (response) => {
  response.writeHead(201, { 'content-type': 'application/json', trailer: 'x-digest' }).flushHeaders();
  response.addTrailers({ 'x-digest': 'abc' });
  response.end();
};

afterEach(closeAll);

describeEnvoy.each(MODES)('With a real Envoy in mode %s', (name, mode) => {
  test('the client gets the masked body', async () => {
    const { envoy, logged } = await startChain({ mode, answer: json(RECORDS) });
    const answer = await get(envoy);
    expect(answer).toMatchObject({ status: 200, text: MASKED });
    expect(answer.headers['content-length']).toBe(name === 'BUFFERED' ? String(MASKED.length) : undefined);
    await eventually(() => logged.some((line) => line.includes('"outcome":"enforced"')));
  });

  test('what describes the original body and what lets caches share it is dropped', async () => {
    const headers = {
      etag: '"1"',
      'last-modified': 'Sat, 21 Nov 2026 00:00:00 GMT',
      'accept-ranges': 'bytes',
      'content-md5': 'x',
      digest: 'x',
      'content-digest': 'x',
      'repr-digest': 'x',
      age: '3',
      'cache-control': 'public, max-age=60, s-maxage=90, immutable',
      'cdn-cache-control': 'max-age=90',
      'surrogate-key': 'customers',
      'x-accel-expires': '90',
      expires: 'Sun, 22 Nov 2026 00:00:00 GMT',
      vary: 'Accept',
      'x-kept': 'yes',
    };
    const { envoy } = await startChain({ mode, answer: json(RECORDS, headers) });
    const answer = await get(envoy);
    expect(answer).toMatchObject({ status: 200, text: MASKED });
    const dropped = Object.keys(headers).filter(
      (field) => !['cache-control', 'vary', 'x-kept'].includes(field),
    );
    for (const field of dropped) expect(answer.headers).not.toHaveProperty(field);
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, max-age=60',
      vary: 'Accept, Authorization',
      'x-kept': 'yes',
    });
  });

  test('a masked answer counts what was changed, in place of what the application says, if that is configured', async () => {
    const answer = json(RECORDS, { 'enforcement-result': 'masked=9' });
    const { envoy } = await startChain({ mode, answer, written: { report: true } });
    const { headers, text } = await get(envoy);
    expect(text).toBe(MASKED);
    expect(headers['enforcement-result']).toBe('masked=1, set=0, removed=0, records=1');
  });

  test('a masked answer has no counts unless that is configured', async () => {
    const { envoy } = await startChain({ mode, answer: json(RECORDS) });
    expect((await get(envoy)).headers).not.toHaveProperty('enforcement-result');
  });

  test('an answer without a body has no counts', async () => {
    const { envoy } = await startChain({
      mode,
      answer: raw('', { 'content-type': 'application/json' }),
      written: { report: true },
    });
    expect((await get(envoy)).headers).not.toHaveProperty('enforcement-result');
  });

  test('errors of the application are masked, too', async () => {
    const answer = raw(JSON.stringify(RECORDS), { 'content-type': 'application/problem+json' }, 409);
    const { envoy } = await startChain({ mode, answer });
    expect(await get(envoy)).toMatchObject({ status: 409, text: MASKED });
  });

  test('upstream gets no Accept-Encoding, no range and no conditions of the client', async () => {
    const { envoy, upstream } = await startChain({ mode, answer: json(RECORDS) });
    const headers = {
      'accept-encoding': 'gzip',
      range: 'bytes=0-10',
      'if-range': '"1"',
      'if-none-match': '"1"',
      'if-modified-since': 'Sat, 21 Nov 2026 00:00:00 GMT',
      'x-kept': 'yes',
    };
    expect(await get(envoy, { headers })).toMatchObject({ status: 200, text: MASKED });
    const seen = upstream.requests[0]?.headers ?? {};
    for (const field of ['accept-encoding', 'range', 'if-range', 'if-none-match', 'if-modified-since'])
      expect(seen).not.toHaveProperty(field);
    expect(seen).toMatchObject({ 'x-kept': 'yes' });
  });

  test('upstream gets no conditions of a request that it may take for one that reads, however they are spelt', async () => {
    const { envoy, upstream } = await startChain({ mode, answer: json(RECORDS) });
    const headers = { 'x-http-method-override': 'GET', 'if-none-match': '"1"', 'x-kept': 'yes' };
    await call(envoy.port, { method: 'POST', path: '/', body: '{"a":1}', headers });
    await get(envoy, { headers: { if_none_match: '"1"', if_match: '"1"', 'x-kept': 'yes' } });
    expect(upstream.requests).toHaveLength(2);
    for (const seen of upstream.requests) {
      expect(seen.headers).toMatchObject({ 'x-kept': 'yes' });
      expect(Object.keys(seen.headers).join()).not.toMatch(/if[-_]/u);
    }
  });

  test('conditions stay on methods that change something', async () => {
    const { envoy, upstream } = await startChain({ mode, answer: json(RECORDS) });
    await call(envoy.port, { method: 'PUT', path: '/', body: '{"a":1}', headers: { 'if-none-match': '*' } });
    expect(upstream.requests[0]?.headers).toMatchObject({ 'if-none-match': '*' });
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('a body that upstream compresses all the same with %s is decoded', async (coding, compress) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    const { envoy } = await startChain({ mode, answer: raw(compress(JSON.stringify(RECORDS)), headers) });
    const answer = await get(envoy);
    expect(answer).toMatchObject({ status: 200, text: MASKED });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  test.each([
    [
      'in an unknown encoding',
      'x',
      { 'content-type': 'application/json', 'content-encoding': 'compress' },
      200,
    ],
    ['in two encodings', 'x', { 'content-type': 'application/json', 'content-encoding': 'gzip, br' }, 200],
    [
      'that is not what its encoding says',
      'x',
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      200,
    ],
    ['that is not JSON', '<ssn>1</ssn>', { 'content-type': 'text/html' }, 200],
    ['without a type', '{"ssn":"1"}', {}, 200],
    ['in another charset', '{"ssn":"1"}', { 'content-type': 'application/json; charset=utf-16' }, 200],
    [
      'with several charsets',
      '{"ssn":"1"}',
      { 'content-type': 'application/json; charset=utf-8; charset=utf-16' },
      200,
    ],
    ['that is only a part', '{"ssn":"1"}', { 'content-type': 'application/json' }, 206],
    ['that is a difference', '{"ssn":"1"}', { 'content-type': 'application/json' }, 226],
    ['that is broken JSON', '{"ssn":"1"', { 'content-type': 'application/json' }, 200],
    ['that is a mere text', '"123-45-6789"', { 'content-type': 'application/json' }, 200],
  ] as const)('a body %s is refused', async (_what, body, headers, status) => {
    const { envoy } = await startChain({ mode, answer: raw(body, headers, status) });
    const answer = await get(envoy);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(problemIn(answer)).toMatchObject({
      status: 502,
      type: 'urn:authz-jsonmasking:error:response-not-enforceable',
    });
    expect(answer.status).toBe(502);
  });

  test('a body over maxBody is refused, also after decompression', async () => {
    const large = JSON.stringify([{ ssn: 'x'.repeat(1_100_000) }]);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const options = { mode, written: { maxBody: 1 }, bufferLimit: 8_000_000 };
    const plain = await startChain({
      ...options,
      answer: raw(large, { 'content-type': 'application/json' }),
    });
    expect(await get(plain.envoy)).toMatchObject({ status: 502 });
    const compressed = await startChain({ ...options, answer: raw(gzipSync(large), headers) });
    const answer = await get(compressed.envoy);
    expect(answer.status).toBe(502);
    expect(problemIn(answer).detail).toContain('it has more than 1048576 bytes (maxBody)');
  });

  test('a client gets the problem if the PDP fails', async () => {
    const { envoy } = await startChain({ mode, answer: json(RECORDS), decision: { status: 500 } });
    const answer = await get(envoy);
    expect(answer.status).toBe(502);
    expect(problemIn(answer).type).toBe('urn:authz-jsonmasking:error:pdp-failed');
    expect(answer.text).not.toContain('123-45');
  });

  test('a body that does not arrive in time is refused', async () => {
    const { envoy } = await startChain({ mode, answer: unfinished, written: { bodyTimeout: 300 } });
    const got = await get(envoy);
    expect(got.status).toBe(504);
    expect(problemIn(got).type).toBe('urn:authz-jsonmasking:error:upstream-timeout');
  });

  test('HEAD, 204 and 304 have no body to enforce, and pass without validators', async () => {
    const { envoy } = await startChain({
      mode,
      answer: (response, { url }) => {
        const headers = { etag: '"1"', 'content-type': 'application/json' };
        response.writeHead(url === '/none' ? 204 : url === '/same' ? 304 : 200, headers).end();
      },
    });
    const answers = [
      await get(envoy, { method: 'HEAD' }),
      await get(envoy, { path: '/none' }),
      await get(envoy, { path: '/same' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 304]);
    for (const { headers, text } of answers) {
      expect(headers).not.toHaveProperty('etag');
      expect(text).toBe('');
    }
  });

  test.each([{ 'content-type': 'application/json' }, {}, { 'content-type': 'text/html' }])(
    'an empty body passes, whatever its type: %j',
    async (type) => {
      const { envoy } = await startChain({ mode, answer: raw('', { ...type, 'content-length': '0' }, 201) });
      expect(await get(envoy)).toMatchObject({ status: 201, text: '' });
    },
  );

  test('a redirect without a type or a body passes, as plain Node.js sends it', async () => {
    const { envoy } = await startChain({ mode, answer: raw('', { location: '/b' }, 302) });
    expect(await get(envoy)).toMatchObject({ status: 302, text: '', headers: { location: '/b' } });
  });

  test('trailers are dropped', async () => {
    const { envoy } = await startChain({ mode, answer: withTrailers });
    const got = await get(envoy, { headers: { te: 'trailers' } });
    expect(got).toMatchObject({ status: 200, text: MASKED });
    expect(got.headers).not.toHaveProperty('trailer');
  });

  test('trailers without a body are dropped', async () => {
    const { envoy } = await startChain({ mode, answer: onlyTrailers });
    const got = await get(envoy, { headers: { te: 'trailers' } });
    expect(got).toMatchObject({ status: 201, text: '' });
    expect(got.headers).not.toHaveProperty('trailer');
  });

  test('a route that passes lets every body through as it is', async () => {
    const routes = [{ path: '/files/**', pass: true }];
    const answer = raw('<ssn>123</ssn>', { 'content-type': 'text/html', etag: '"1"' });
    const { envoy } = await startChain({ mode, answer, written: { routes } });
    const got = await get(envoy, { path: '/files/1', headers: { 'accept-encoding': 'gzip' } });
    expect(got).toMatchObject({ status: 200, text: '<ssn>123</ssn>' });
    expect(got.headers).toMatchObject({ etag: '"1"' });
  });

  test('a route that passes bodies that are not JSON masks the others', async () => {
    const routes = [{ path: '/**', nonJson: 'pass', vendor: { entityId: 'jane' } }];
    const { envoy } = await startChain({
      mode,
      written: { routes },
      answer: (response, request) => {
        const isJson = request.url === '/json';
        response.writeHead(200, { 'content-type': isJson ? 'application/json' : 'text/csv' });
        response.end(isJson ? JSON.stringify(RECORDS) : 'ssn\n1\n');
      },
    });
    expect(await get(envoy, { path: '/csv' })).toMatchObject({ status: 200, text: 'ssn\n1\n' });
    expect(await get(envoy, { path: '/json' })).toMatchObject({ status: 200, text: MASKED });
  });

  test.each([false, true])(
    'trailers of a body that passes are dropped, also if it stays in Envoy: %p',
    async (allow_mode_override) => {
      const routes = [{ path: '/**', nonJson: 'pass', vendor: { entityId: 'jane' } }];
      const { envoy } = await startChain({
        mode,
        answer: textWithTrailers,
        filter: { allow_mode_override },
        written: { routes },
      });
      const request = 'GET /a HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: close\r\n\r\n';
      const received = await exchanged(envoy.port, request);
      expect(received).toContain('a,b\n');
      expect(received).not.toContain('x-digest');
    },
  );

  test.each([[], ['content-type', 'text'], ['content-type', 'text/csv', 'content-type', 'application/json']])(
    'a route that passes bodies that are not JSON refuses those that may be: %j',
    async (...fields) => {
      const routes = [{ path: '/**', nonJson: 'pass', vendor: { entityId: 'jane' } }];
      const answer: Answering = (response) => void response.writeHead(200, fields).end('{"ssn":"1"}');
      const { envoy } = await startChain({ mode, answer, written: { routes } });
      expect(await get(envoy)).toMatchObject({ status: 502 });
    },
  );

  test('bodies of requests reach upstream unchanged', async () => {
    const { envoy } = await startChain({
      mode: { ...mode, request_body_mode: name, request_trailer_mode: 'SEND' },
      answer: (response, request) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => response.end(JSON.stringify({ got: Buffer.concat(chunks).length })));
      },
    });
    const body = JSON.stringify({ text: 'x'.repeat(200_000) });
    const answer = await call(envoy.port, { path: '/', body });
    expect(answer).toMatchObject({ status: 200, text: `{"got":${body.length}}` });
  });

  test('a route that refuses answers before upstream is asked', async () => {
    const routes = [{ path: '/secret/**', refuse: true }];
    const { envoy, upstream } = await startChain({ mode, answer: json(RECORDS), written: { routes } });
    const answer = await get(envoy, { path: '/secret/1' });
    expect(answer.status).toBe(403);
    expect(upstream.requests).toEqual([]);
  });

  test('upgrades are refused on routes that enforce', async () => {
    const { envoy, upstream } = await startChain({ mode, answer: json(RECORDS) });
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    expect(await get(envoy, { headers })).toMatchObject({ status: 403 });
    expect(upstream.requests).toEqual([]);
  });

  test('the PDP is asked while upstream is still working', async () => {
    const { answer, finish } = held(json(RECORDS));
    const chain = await startChain({ mode, answer });
    const answered = get(chain.envoy);
    await eventually(() => chain.pdp.requests.length === 1 && chain.upstream.requests.length === 1);
    finish();
    expect(await answered).toMatchObject({ status: 200, text: MASKED });
    expect(chain.pdp.requests).toHaveLength(1);
  });
});
