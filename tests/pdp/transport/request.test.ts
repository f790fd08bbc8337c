import { afterEach, describe, expect, it } from '@jest/globals';
import { AxiosHeaders } from 'axios';
import type { HeaderFields } from '../../../src/pdp/port.ts';
import type { StubRequest } from '../stub.ts';
import { closeAll, question, rejection, startPair } from './setup.ts';

afterEach(closeAll);

/** The values that a request has for a name, as they stood on the wire. */
function wireValues({ rawHeaders }: StubRequest, name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}

async function requestWith(headers: HeaderFields): Promise<StubRequest> {
  const { pdp, stub } = await startPair();
  await pdp.decide(question({ headers }));
  const [request] = stub.requests;
  if (request === undefined) throw new Error('nothing was asked');
  return request;
}

describe('the request to a PDP over HTTP', () => {
  it('goes to the resolution endpoint for resolution and to the token endpoint for context', async () => {
    const { pdp, stub } = await startPair();
    await pdp.decide(question({ calculationType: 'resolution' }));
    await pdp.decide(question({ calculationType: 'context' }));
    expect(stub.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /resolution',
      'POST /token',
    ]);
  });

  it('carries the body byte by byte', async () => {
    const { pdp, stub } = await startPair();
    const body = Buffer.from(' {"n": 12345678901234567890, "n": 1.10,\t"s": "\u00fc \ud800 ü"}\r\n');
    await pdp.decide(question({ body }));
    await pdp.decide(question({ body: new Uint8Array(body).subarray(1, 5) }));
    expect(stub.requests.map((request) => request.body)).toEqual([body, body.subarray(1, 5)]);
  });

  it('describes itself, and nothing else if the caller sent nothing', async () => {
    const { rawHeaders, headers } = await requestWith([]);
    expect(headers).toEqual({
      'user-agent': 'authz-jsonmasking',
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      'content-length': '2',
      host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      connection: 'keep-alive',
    });
    expect(rawHeaders).toHaveLength(14);
  });

  it('carries what is forwarded, in its spelling', async () => {
    const fields: HeaderFields = [
      ['Authorization', 'Bearer abc.def.ghi'],
      ['X-CUSTOM', 'v'],
      ['X_Forwarded_User', 'admin'],
      ['User-Agent', 'curl/8'],
    ];
    const { rawHeaders } = await requestWith(fields);
    const lines = rawHeaders.filter((_, i) => i % 2 === 0).map((name, i) => [name, rawHeaders[2 * i + 1]]);
    expect(lines).toEqual(expect.arrayContaining([...fields]));
    expect(lines.filter(([name]) => name?.toLowerCase() === 'user-agent')).toHaveLength(1);
  });

  it('repeats a field as often as it is forwarded, whatever its spelling', async () => {
    const request = await requestWith([
      ['X-Tag', 'a'],
      ['X-Other', 'o'],
      ['x-tag', 'b'],
      ['X-Tag', 'a'],
      ['Authorization', 'Bearer one'],
      ['Authorization', 'Bearer two'],
    ]);
    expect(wireValues(request, 'x-tag')).toEqual(['a', 'b', 'a']);
    expect(wireValues(request, 'authorization')).toEqual(['Bearer one', 'Bearer two']);
  });

  it('carries every cookie, in one field', async () => {
    const request = await requestWith([
      ['Cookie', 'a=1'],
      ['Cookie', 'b=2'],
    ]);
    expect(wireValues(request, 'cookie')).toEqual(['a=1; b=2']);
  });

  it('carries bytes beyond ASCII in a value unchanged', async () => {
    const request = await requestWith([['X-Name', 'J\u00fcrgen']]);
    expect(wireValues(request, 'x-name')).toEqual(['J\u00fcrgen']);
  });

  it('carries fields that are named like properties of every object, and like methods and defaults of an HTTP client', async () => {
    const names = [
      ...Object.getOwnPropertyNames(Object.prototype),
      ...Object.getOwnPropertyNames(AxiosHeaders.prototype),
      ...Object.getOwnPropertyNames(AxiosHeaders),
      'prototype',
      'Constructor',
      '__PROTO__',
      'Get',
      'get',
      'set',
      'has',
      'toString',
      'toJSON',
      'common',
      'post',
      'headers',
      'data',
      'then',
      'length',
    ];
    for (const name of new Set(names.filter((one) => /^[\w-]+$/.test(one)))) {
      // oxlint-disable-next-line no-await-in-loop -- the order does not matter, and one pair at a time is enough
      const { rawHeaders } = await requestWith([[name, `value of ${name}`]]);
      expect(rawHeaders).toContain(name);
      expect(rawHeaders[rawHeaders.indexOf(name) + 1]).toBe(`value of ${name}`);
    }
  });

  it('carries every such field next to the others', async () => {
    const fields: HeaderFields = ['__proto__', 'constructor', 'prototype', 'get'].map((name) => [name, name]);
    const { rawHeaders } = await requestWith([...fields, ['X-Other', 'o'], ...fields]);
    const sent = rawHeaders.filter((_, i) => i % 2 === 0 && fields.some(([name]) => name === rawHeaders[i]));
    expect(sent.toSorted()).toEqual([...fields, ...fields].map(([name]) => name).toSorted());
  });

  it('has its own length and description even if the forwarded fields say otherwise', async () => {
    const request = await requestWith([
      ['Content-Length', '999'],
      ['CONTENT-TYPE', 'text/plain'],
      ['Accept', 'text/html'],
      ['Accept-Encoding', 'zstd'],
    ]);
    expect(request.body.toString()).toBe('{}');
    expect(wireValues(request, 'content-length')).toEqual(['2']);
    expect(wireValues(request, 'content-type')).toEqual(['application/json']);
    expect(wireValues(request, 'accept')).toEqual(['application/json']);
    expect(wireValues(request, 'accept-encoding')).toEqual(['gzip, deflate, br']);
  });

  it.each([
    ['X-A', 'a\r\nX-Evil: 1'],
    ['X-A', 'a\nb'],
    ['X-A', 'a\u0000'],
    ['X-A\r\nX-Evil', '1'],
    ['X A', '1'],
    ['', '1'],
    ['X-A', '\u20ac'],
  ])('is not sent at all with the field %j: %j', async (name, value) => {
    const { pdp, stub } = await startPair();
    const error = await rejection(pdp.decide(question({ headers: [[name, value]] })));
    expect(error).toMatchObject({ code: 'request-invalid' });
    expect(stub.requests).toEqual([]);
  });

  it('goes over a connection that is kept for the next', async () => {
    const { pdp, stub } = await startPair();
    await pdp.decide(question());
    await pdp.decide(question({ calculationType: 'context' }));
    await pdp.decide(question());
    expect(stub.requests).toHaveLength(3);
    expect(stub.connections()).toBe(1);
  });

  it('goes over no more connections than there are questions at a time', async () => {
    const { pdp, stub } = await startPair();
    const askOn = async (times: number): Promise<void> => {
      if (times === 0) return;
      await pdp.decide(question());
      await askOn(times - 1);
    };
    await Promise.all([askOn(20), askOn(20), askOn(20)]);
    expect(stub.requests).toHaveLength(60);
    expect(stub.connections()).toBeLessThanOrEqual(3);
  });
});
