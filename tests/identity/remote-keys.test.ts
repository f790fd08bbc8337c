import { afterEach, expect, test } from '@jest/globals';
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
