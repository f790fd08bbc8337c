import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, type Call } from '../../support/caller.ts';
import { startEnforcement } from '../../support/service.ts';

afterEach(closeAll);

const BODY = enforcing('[{"a":1}]', { vendor: { clientId: 'scope-1' } });

/** The header of what the PDP is asked when the caller sends one: names in lower case, each with its values. */
async function headerAsked(sent: Call): Promise<Readonly<Record<string, string[]>>> {
  const { port, pdp } = await startEnforcement();
  expect(await call(port, { body: BODY, ...sent })).toMatchObject({ status: 200 });
  const { rawHeaders = [] } = pdp.requests[0] ?? {};
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const valuesOf = (name: string) => rawHeaders.filter((_, i) => names[(i - 1) / 2] === name);
  return Object.fromEntries(names.map((name) => [name, valuesOf(name)]));
}

describe('the headers of a request', () => {
  test('go on to the PDP', async () => {
    const headers = {
      authorization: 'Bearer abc.def.ghi',
      'x-custom': 'v',
      x_forwarded_user: 'admin',
      'user-agent': 'bank/1',
      forwarded: 'for=192.0.2.1',
      'accept-language': 'de',
    };
    expect(await headerAsked({ headers })).toMatchObject(
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    );
  });

  test('stay repeated if they are', async () => {
    const headers = { 'x-tag': ['a', 'b', 'a'], 'x-other': ['c', 'd'] };
    expect(await headerAsked({ headers })).toMatchObject(headers);
  });

  test('are not forwarded if they hold for one connection only', async () => {
    const asked = await headerAsked({
      headers: {
        connection: 'close, x-Drop',
        'x-drop': '1',
        'keep-alive': 'timeout=5',
        te: 'trailers',
        'proxy-authorization': 'Basic eDp5',
        'proxy-connection': 'keep-alive',
        upgrade: 'h2c',
      },
    });
    const gone = ['x-drop', 'keep-alive', 'te', 'proxy-authorization', 'proxy-connection', 'upgrade'];
    expect(Object.keys(asked)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`^(?:${gone.join('|')})$`, 'u'))]),
    );
    expect(asked['connection']).toEqual(['keep-alive']);
  });

  test('are not forwarded if they describe the message, and the PDP gets those of its own message', async () => {
    const asked = await headerAsked({
      body: [gzipSync(BODY)],
      headers: {
        host: 'service.example',
        'content-type': 'application/vnd.bank+json',
        'content-encoding': 'gzip',
        'content-language': 'de',
        digest: 'sha-256=x',
        accept: 'text/html',
        'accept-encoding': 'zstd',
        range: 'bytes=0-1',
        'if-none-match': '"x"',
      },
    });
    expect(asked).toMatchObject({
      'content-type': ['application/json'],
      accept: ['application/json'],
      'accept-encoding': ['gzip, deflate, br'],
      'content-length': [expect.stringMatching(/^\d+$/u)],
      host: [expect.stringMatching(/^127\.0\.0\.1:\d+$/u)],
    });
    const gone = [
      'content-encoding',
      'content-language',
      'transfer-encoding',
      'digest',
      'range',
      'if-none-match',
    ];
    expect(gone.filter((name) => name in asked)).toEqual([]);
  });
});
