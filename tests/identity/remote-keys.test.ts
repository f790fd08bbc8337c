import { afterEach, expect, test } from '@jest/globals';
import { errors, type JSONWebKeySet, type JWK } from 'jose';
import { RemoteKeys } from '../../src/identity/remote-keys.ts';
import { closeAll, stopLater } from '../pdp/transport/setup.ts';
import { startProvider, type Provider } from './provider.ts';

afterEach(closeAll);

function keysOf({ url }: Provider): RemoteKeys {
  const keys = new RemoteKeys({ issuer: url, jwksUri: `${url}/keys` }, () => undefined);
  stopLater(() => keys.close());
  return keys;
}

const HEADER = { alg: 'ES256', kid: 'key-0' };
const TOKEN = { payload: '', signature: '' };

test('a token is tried with keys that were fetched for another one meanwhile', async () => {
  const provider = await startProvider();
  const keys = keysOf(provider);
  const [first, second] = [keys.forToken(), keys.forToken()];
  await first.jwks(HEADER, TOKEN);
  const third = keys.forToken();
  await third.jwks(HEADER, TOKEN);
  expect(await third.renew()).toBe(true);
  expect(await first.renew()).toBe(true);
  await second.jwks(HEADER, TOKEN);
  expect(await second.renew()).toBe(false);
  expect(provider.requests).toHaveLength(2);
});

test('keys that were fetched for a token are not fetched again because its signature is wrong', async () => {
  const provider = await startProvider();
  const token = keysOf(provider).forToken();
  await token.jwks(HEADER, TOKEN);
  expect(await token.renew()).toBe(false);
  expect(provider.requests).toHaveLength(1);
});

/** What comes of a token if the provider has this key set. */
async function withKeys(change: (key: JWK) => readonly object[]): Promise<unknown> {
  const provider = await startProvider();
  const published = await fetch(`${provider.url}/keys`);
  const { keys } = JSON.parse(await published.text(), (_name, value: JSONWebKeySet) => value);
  provider.fail({ status: 200, body: JSON.stringify({ keys: keys.slice(0, 1).flatMap(change) }) });
  const token = keysOf(provider).forToken();
  try {
    return await token.jwks(HEADER, TOKEN);
  } catch (error) {
    return error;
  }
}

test.each([
  ['one operation', ['verify'], expect.objectContaining({ type: 'public' })],
  [
    '21 operations, all pairs of which would be compared,',
    Array.from({ length: 21 }, (_one, i) => (i === 0 ? 'verify' : `other ${i}`)),
    expect.any(errors.JWKSNoMatchingKey),
  ],
])('a key for %s is known, or left out', async (_name, operations, outcome) => {
  expect(await withKeys((key) => [{ ...key, key_ops: operations }])).toEqual(outcome);
});

test.each([
  [1000, expect.objectContaining({ type: 'public' })],
  [1001, expect.objectContaining({ message: expect.stringContaining('more than 1000 keys') })],
])('a set of %d keys is taken, or refused: each token is compared with all', async (count, outcome) => {
  const others = Array.from({ length: count - 1 }, (_one, i) => ({ kty: 'EC', kid: `other ${i}` }));
  expect(await withKeys((key) => [key, ...others])).toEqual(outcome);
});
