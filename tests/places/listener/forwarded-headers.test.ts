import { describe, expect, it } from '@jest/globals';
import { forwardedHeaders } from '../../../src/places/listener/forwarded-headers.ts';

/** What of some fields goes on, as `name: value` lines. */
function forwarded(...lines: readonly string[]): string[] {
  const raw = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
  });
  return forwardedHeaders(raw).map(([name, value]) => `${name}: ${value}`);
}

describe('the headers that are forwarded to the PDP', () => {
  it('are those of the caller, in their order and spelling', () => {
    const lines = [
      'Authorization: Bearer abc.def.ghi',
      'x-request-id: r-1',
      'X-CUSTOM: v',
      'User-Agent: curl/8',
    ];
    expect(forwarded(...lines)).toEqual(lines);
  });

  it('include repeated fields as often as they came', () => {
    const lines = ['X-Tag: a', 'Cookie: a=1', 'x-tag: b', 'Cookie: b=2', 'X-Tag: a'];
    expect(forwarded(...lines)).toEqual(lines);
  });

  it.each([
    'Connection: close',
    'HTTP2-Settings: AAMAAABk',
    'Keep-Alive: timeout=5',
    'Proxy-Connection: keep-alive',
    'Proxy-Authenticate: Basic',
    'Proxy-Authorization: Basic eDp5',
    'TE: trailers',
    'Trailer: X-Checksum',
    'Transfer-Encoding: chunked',
    'Upgrade: h2c',
  ])('leave out the hop-by-hop field %s', (line) => {
    expect(forwarded(line, line.toUpperCase(), 'X-Kept: 1')).toEqual(['X-Kept: 1']);
  });

  it.each([
    'Host: service.example',
    'Content-Type: application/json',
    'Content-Length: 999999',
    'Content-Encoding: gzip',
    'content-md5: x',
    'CONTENT-ANYTHING: x',
    'Digest: sha-256=x',
    'Repr-Digest: sha-256=:eA==:',
    'Accept: text/html',
    'Accept-Encoding: zstd',
    'Expect: 100-continue',
    'Range: bytes=0-1',
    'If-None-Match: "x"',
    'if-modified-since: Fri, 20 Nov 2026 00:00:00 GMT',
  ])('leave out %s, which describes the message of the caller', (line) => {
    expect(forwarded(line, 'X-Kept: 1')).toEqual(['X-Kept: 1']);
  });

  it.each([
    'Accept-Language: de',
    'Ranged: 1',
    'X-Content-Type: 1',
    'Iffy: 1',
    'Upgrade-Insecure-Requests: 1',
  ])('include %s, whose name only resembles those that are left out', (line) => {
    expect(forwarded(line)).toEqual([line]);
  });

  it('leave out what Connection names, in whatever case, in lists and in several fields', () => {
    expect(
      forwarded(
        'X-First: 1',
        'Connection: close, X-First ,\tx-second',
        'X-Second: 2',
        'x-second: 2 again',
        'CONNECTION: X-THIRD,,',
        'x-third: 3',
        'X-Kept: 4',
      ),
    ).toEqual(['X-Kept: 4']);
  });

  it('leave out even credentials if Connection names them', () => {
    expect(forwarded('Connection: authorization', 'Authorization: Bearer abc')).toEqual([]);
  });

  it('take a name with underscores for a name of its own', () => {
    const lines = [
      'X_Forwarded_User: admin',
      'Content_Length: 3',
      'Transfer_Encoding: chunked',
      'Keep_Alive: 1',
    ];
    expect(forwarded('Connection: x-forwarded-user, content-length', ...lines)).toEqual(lines);
  });

  it('include fields that are named like properties of every object', () => {
    const lines = ['__proto__: a', 'constructor: b', 'toString: c'];
    expect(forwarded(...lines)).toEqual(lines);
  });

  it('are none if none came', () => {
    expect(forwardedHeaders([])).toEqual([]);
  });
});
