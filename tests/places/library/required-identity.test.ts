import { afterEach, expect, test } from '@jest/globals';
import { startProvider, type Provider } from '../../identity/provider.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { answerOf } from './answering.ts';

afterEach(closeAll);

const POLICIES = 'policies: [{ name: SSN, properties: [ssn], action: MASK }]';
/** They name the user themselves, so that nothing but the configuration asks for a token. */
const VENDOR = { entityTypeId: 'Agent', entityId: 'jane' };

/** Asks an application whose answers are masked. */
function statusAndBody(
  { url, jwt: { issuer, audience } }: Provider,
  isRequired: boolean,
  token: string | undefined,
): Promise<readonly [status: number, body: string]> {
  const identity = { required: isRequired, jwt: { issuer, audience, jwksUri: `${url}/keys` } };
  return answerOf(
    { ssn: '123-45-6789' },
    { policies: POLICIES, configuration: { identity }, options: { vendor: VENDOR } },
    token === undefined ? {} : { authorization: `Bearer ${token}` },
  );
}

test('with identity.required, only the answers to callers with a good token are masked and sent', async () => {
  const provider = await startProvider();
  const good = await provider.sign();
  const bad = await provider.sign({ aud: 'another' });
  expect(await statusAndBody(provider, true, good)).toEqual([200, '{"ssn":"***"}']);
  expect(await statusAndBody(provider, true, bad)).toEqual([401, expect.stringContaining('token-refused')]);
  expect(await statusAndBody(provider, true, undefined)).toEqual([
    401,
    expect.stringContaining('token-refused'),
  ]);
});

test('without it, a token that nothing asks for is not looked at', async () => {
  const provider = await startProvider();
  expect(await statusAndBody(provider, false, undefined)).toEqual([200, '{"ssn":"***"}']);
  expect(await statusAndBody(provider, false, 'anything')).toEqual([200, '{"ssn":"***"}']);
  expect(provider.requests).toEqual([]);
});

test('a route that names claims has those of the verified token, also if no other needs one', async () => {
  const { url, jwt, sign } = await startProvider();
  const identity = { jwt: { ...jwt, jwksUri: `${url}/keys` } };
  const vendor = { entityTypeId: '${claims.role}', entityId: '${claims.sub}' };
  const ask = (token?: string) =>
    answerOf(
      { ssn: '123-45-6789' },
      {
        policies: POLICIES.replace('action', 'except: { entityTypes: [Manager] }, action'),
        configuration: { identity },
        options: { vendor: {}, routes: [{ path: '/**', vendor }] },
      },
      token === undefined ? {} : { authorization: `Bearer ${token}` },
    );
  expect(await ask(await sign({ role: 'Manager' }))).toEqual([200, '{"ssn":"123-45-6789"}']);
  expect(await ask(await sign({ role: 'Agent' }))).toEqual([200, '{"ssn":"***"}']);
  expect(await ask(await sign({ role: 'Manager', aud: 'another' }))).toEqual([401, expect.anything()]);
  expect(await ask()).toEqual([401, expect.anything()]);
});
