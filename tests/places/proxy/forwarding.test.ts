import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, problemIn } from '../../support/caller.ts';
import { exchanged } from '../../support/wire.ts';
import { answering, startBoth, startProxied } from './setup.ts';

afterEach(closeAll);

const JSON_ANSWER = answering('{"ok":true}');
const PASS = { otherwise: { pass: true } };

function fieldsNamed(name: string, rawHeaders: readonly string[] = []): readonly string[] {
  return rawHeaders.filter((_value, at) => rawHeaders[at - 1]?.toLowerCase() === name && at % 2 === 1);
}

describe('a request is forwarded', () => {
  test.each(['GET', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'])('with its method %s', async (method) => {
    const { proxyPort, application } = await startBoth(JSON_ANSWER);
    expect((await call(proxyPort, { method, path: '/a' })).status).toBe(200);
    expect(application.received.map((request) => request.method)).toEqual([method]);
  });

  test.each(['/', '/a/b?c=d&c=%20%2F+e', '/%63aseFOLD/x?', '//a///b', '/a/./b/../c', '/a;v=1', "/'()*!~"])(
    'with its path and query byte for byte: %s',
    async (path) => {
      const { proxyPort, application } = await startBoth(JSON_ANSWER);
      expect((await call(proxyPort, { method: 'GET', path })).status).toBe(200);
      expect(application.received[0]?.url).toBe(path);
    },
  );

  test('with a body of a known length, and one in chunks', async () => {
    const { proxyPort, application } = await startBoth(JSON_ANSWER);
    await call(proxyPort, { path: '/a', body: '{"x":1}' });
    await call(proxyPort, { path: '/a', body: [Buffer.from('{"x"'), Buffer.from(':2}')] });
    await call(proxyPort, { path: '/a', body: '' });
    const [known, chunked, empty] = application.received;
    expect(known).toMatchObject({ body: '{"x":1}', headers: { 'content-length': '7' } });
    expect(chunked).toMatchObject({ body: '{"x":2}' });
    expect(empty).toMatchObject({ body: '', method: 'POST' });
  });

  test('with its header fields in their spelling and order, repeated ones repeated', async () => {
    const { proxyPort, application } = await startBoth(JSON_ANSWER);
    await exchanged(
      proxyPort,
      'GET /a HTTP/1.1\r\nHost: example.com\r\nX-One: 1\r\ncookie: a=b\r\nX-One: 2\r\nX_Odd: caf\u00e9\r\nConnection: close\r\n\r\n',
    );
    const raw = application.received[0]?.rawHeaders ?? [];
    const from = raw.indexOf('X-One');
    expect(raw.slice(from, from + 8)).toEqual([
      'X-One',
      '1',
      'cookie',
      'a=b',
      'X-One',
      '2',
      'X_Odd',
      expect.any(String),
    ]);
  });

  test('without the fields that hold between neighbours', async () => {
    const { proxyPort, application } = await startBoth(JSON_ANSWER, PASS);
    const headers = {
      connection: 'keep-alive, X-Mine, Host, Content-Length',
      'x-mine': '1',
      'keep-alive': 'timeout=5',
      te: 'trailers',
      'proxy-authorization': 'Basic eDp5',
      'proxy-connection': 'keep-alive',
      trailer: 'X-End',
      expect: '100-continue',
      'http2-settings': 'AAMAAABkAAQAAP__',
    };
    await call(proxyPort, { path: '/a', headers, body: 'x' });
    const names = Object.keys(application.received[0]?.headers ?? {});
    expect(names).toEqual(
      expect.arrayContaining(['host', 'content-length', 'via', 'x-forwarded-for', 'x-forwarded-proto']),
    );
    for (const name of [
      'x-mine',
      'keep-alive',
      'te',
      'proxy-authorization',
      'proxy-connection',
      'trailer',
      'expect',
      'http2-settings',
    ])
      expect(names).not.toContain(name);
  });

  test('with the address that it comes from', async () => {
    const { proxyPort, application } = await startBoth(JSON_ANSWER);
    const headers = {
      host: 'example.com',
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
      via: '1.1 gateway',
    };
    await call(proxyPort, { method: 'GET', path: '/a', headers });
    expect(application.received[0]?.headers).toMatchObject({
      host: 'example.com',
      'x-forwarded-for': '10.0.0.1, 127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'example.com',
      via: expect.stringMatching(/^1\.1 gateway, 1\.1 authz-jsonmasking-[\da-f]{8}$/u),
    });
  });

  test('and the PDP, too, gets the address that a request comes from behind the one that it claims', async () => {
    const { proxyPort, pdp } = await startBoth(JSON_ANSWER);
    const claimed = {
      'x-forwarded-for': '10.0.0.1',
      x_forwarded_for: '10.0.0.2',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
    };
    await call(proxyPort, { method: 'GET', path: '/a', headers: { ...claimed, 'x-other': 'a' } });
    await call(proxyPort, { method: 'GET', path: '/a' });
    const [first = {}, second = {}] = pdp.requests.map(({ headers }) => headers);
    expect(first).toMatchObject({ 'x-forwarded-for': '10.0.0.1, 127.0.0.1', 'x-other': 'a' });
    expect(
      [first, second].flatMap((one) => Object.keys(one)).filter((name) => /forwarded/u.test(name)),
    ).toEqual(['x-forwarded-for']);
  });

  test('with the address that a trusted gateway reports', async () => {
    const trustedHeaders = ['X-Forwarded-Proto', 'x-forwarded-host'];
    const { proxyPort, application, pdp } = await startBoth(JSON_ANSWER, { trustedHeaders });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };
    await call(proxyPort, { method: 'GET', path: '/a', headers });
    expect(application.received[0]?.headers).toMatchObject(headers);
    expect(pdp.requests[0]?.headers).toMatchObject(headers);
  });

  test('of an enforced route with a wish for an answer that can be read', async () => {
    const { proxyPort, application } = await startBoth(JSON_ANSWER);
    const headers = {
      'accept-encoding': 'gzip, br',
      range: 'bytes=0-5',
      'a-im': 'vcdiff',
      'if-range': '"x"',
      'if-none-match': '"x"',
      'if-modified-since': 'Sat, 21 Nov 2026 00:00:00 GMT',
      'if-match': '"x"',
      'if-unmodified-since': 'Sat, 21 Nov 2026 00:00:00 GMT',
      if: '(["x"])',
    };
    await call(proxyPort, { method: 'GET', path: '/a', headers });
    await call(proxyPort, { method: 'PUT', path: '/a', headers, body: '{}' });
    const [get, put] = application.received.map((request) => request.headers);
    expect(get).toMatchObject({ 'accept-encoding': 'identity' });
    const dropped = Object.keys(headers).filter((name) => name !== 'accept-encoding');
    for (const name of dropped) expect(get).not.toHaveProperty(name);
    expect(put).toMatchObject({ 'accept-encoding': 'identity', 'if-none-match': '"x"', 'if-match': '"x"' });
    for (const name of ['range', 'a-im']) expect(put).not.toHaveProperty(name);
  });

  test.each(['HEAD', 'OPTIONS', 'PROPFIND', 'QUERY', 'REPORT', 'SEARCH'])(
    'of an enforced route without a wish for 304, as %s is safe',
    async (method) => {
      const { proxyPort, application } = await startBoth(JSON_ANSWER);
      const headers = { 'if-none-match': '"x"', 'if-modified-since': 'Sat, 21 Nov 2026 00:00:00 GMT' };
      await call(proxyPort, { method, path: '/a', headers });
      expect(application.received[0]?.method).toBe(method);
      for (const name of Object.keys(headers))
        expect(application.received[0]?.headers).not.toHaveProperty(name);
    },
  );

  test.each([
    ['POST', '/a', { 'x-http-method-override': 'GET', 'if-none-match': '"x"', 'if-match': '"x"' }],
    ['POST', '/a', { X_Method_Override: 'head', 'if-modified-since': 'Sat, 21 Nov 2026 00:00:00 GMT' }],
    ['PUT', '/a?_method=get', { 'if-none-match': '"x"' }],
    ['GET', '/a', { If_None_Match: '"x"', IF_MATCH: '"x"', 'if-modified_since': 'x', if_range: '"x"' }],
  ])(
    'of an enforced route without conditions if the application may read: %s %s %j',
    async (method, path, headers) => {
      const { proxyPort, application } = await startBoth(JSON_ANSWER);
      await call(proxyPort, {
        method,
        path,
        headers: { ...headers, 'x-own': '1' },
        ...(method !== 'GET' && { body: '{}' }),
      });
      const [seen] = application.received;
      expect(seen?.headers).toMatchObject({ 'x-own': '1' });
      expect(Object.keys(seen?.headers ?? {}).join()).not.toMatch(/if[-_]/u);
    },
  );

  test('without addresses of clients in fields that some applications take for those of the proxy', async () => {
    const { proxyPort, application } = await startBoth(JSON_ANSWER, PASS);
    const headers = { x_forwarded_for: '10.0.0.1', 'x-forwarded_proto': 'https', 'x-own': '1' };
    await call(proxyPort, { method: 'GET', path: '/a', headers });
    const names = Object.keys(application.received[0]?.headers ?? {});
    expect(names).toContain('x-own');
    expect(names.filter((name) => name.includes('_'))).toEqual([]);
  });

  test('of a route that passes as it is', async () => {
    const { proxyPort, application } = await startBoth(JSON_ANSWER, PASS);
    const headers = { 'accept-encoding': 'gzip', range: 'bytes=0-5', 'if-none-match': '"x"' };
    await call(proxyPort, { method: 'GET', path: '/a', headers });
    expect(application.received[0]?.headers).toMatchObject(headers);
  });
});

describe('a loop', () => {
  test('is found by what the proxy itself said in Via', async () => {
    const { proxyPort, application } = await startBoth(JSON_ANSWER);
    await call(proxyPort, { method: 'GET', path: '/a' });
    const via = fieldsNamed('via', application.received[0]?.rawHeaders)[0] ?? '';
    const answer = await call(proxyPort, {
      method: 'GET',
      path: '/a',
      headers: { via: `1.1 x, ${via} (y)` },
    });
    expect(problemIn(answer)).toMatchObject({
      status: 508,
      type: 'urn:authz-jsonmasking:error:request-loop',
    });
    expect(application.received).toHaveLength(1);
  });

  test('is found even if Connection names Via', async () => {
    const { proxyPort, application } = await startBoth(JSON_ANSWER);
    await call(proxyPort, { method: 'GET', path: '/a' });
    const via = fieldsNamed('via', application.received[0]?.rawHeaders)[0] ?? '';
    const headers = { via, connection: 'close, Via' };
    expect((await call(proxyPort, { method: 'GET', path: '/a', headers })).status).toBe(508);
    expect(application.received).toHaveLength(1);
  });

  test('is not assumed if a proxy forwards to another one of its host', async () => {
    const inner = await startBoth(JSON_ANSWER);
    const outer = await startProxied(`http://127.0.0.1:${inner.proxyPort}`, { proxy: { port: 8444 } });
    expect((await call(outer.proxyPort, { method: 'GET', path: '/a' })).status).toBe(200);
    expect(inner.application.received).toHaveLength(1);
  });

  test('is not assumed if another proxy of the same kind forwarded the request', async () => {
    const { proxyPort } = await startBoth(JSON_ANSWER);
    const headers = { via: '1.1 authz-jsonmasking-00000000' };
    expect((await call(proxyPort, { method: 'GET', path: '/a', headers })).status).toBe(200);
  });
});

test('a request is never sent twice, even if the application hangs up', async () => {
  let requests = 0;
  const { proxyPort } = await startBoth((request) => {
    requests += 1;
    request.socket.destroy();
  });
  const get = problemIn(await call(proxyPort, { method: 'GET', path: '/a' }));
  const post = problemIn(await call(proxyPort, { method: 'POST', path: '/a' }));
  expect([get.type, post.type]).toEqual([
    'urn:authz-jsonmasking:error:upstream-failed',
    'urn:authz-jsonmasking:error:upstream-failed',
  ]);
  expect(requests).toBe(2);
});

test('an application that is not there is reported as such', async () => {
  const { proxyPort } = await startProxied('http://127.0.0.1:1');
  const answer = await call(proxyPort, { method: 'GET', path: '/a' });
  expect(problemIn(answer)).toMatchObject({
    status: 502,
    type: 'urn:authz-jsonmasking:error:upstream-unreachable',
    detail: 'The application cannot be reached (ECONNREFUSED).',
    instance: answer.headers['x-request-id'],
  });
});
