import { createServer } from 'node:http';
import express from 'express';
import { afterEach, expect, test } from '@jest/globals';
import { createEnforcer, maskResponses } from '../../../src/library.ts';
import { startProvider, type Provider } from '../../identity/provider.ts';
import { closeAll, listening, portOf, stopLater } from '../../pdp/transport/setup.ts';
import { fileWith } from '../../support/process.ts';

afterEach(closeAll);

const POLICIES = 'policies: [{ name: SSN, properties: [ssn], action: MASK }]';
/** They name the user themselves, so that nothing but the configuration asks for a token. */
const VENDOR = { entityTypeId: 'Agent', entityId: 'jane' };

const nothing = (): void => undefined;
const QUIET = { error: nothing, warn: nothing, info: nothing, debug: nothing };

/** Asks an application whose answers are masked. */
async function statusAndBody(
  provider: Provider,
  isRequired: boolean,
  token: string | undefined,
): Promise<readonly [status: number, body: string]> {
  const { issuer, audience } = provider.jwt;
  const jwt = { issuer, audience, jwksUri: `${provider.url}/keys` };
  const identity = { required: isRequired, jwt };
  const enforcer = await createEnforcer({ policyFile: await fileWith(POLICIES), identity }, { log: QUIET });
  stopLater(() => enforcer.close());
  const app = express().use(maskResponses(enforcer, { vendor: VENDOR }), (_request, response) => {
    response.json({ ssn: '123-45-6789' });
  });
  const server = createServer(app);
  await listening(server);
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://127.0.0.1:${portOf(server)}/`, { headers });
  return [answer.status, await answer.text()];
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
