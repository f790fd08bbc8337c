import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, test } from '@jest/globals';
import lodash from 'lodash';
import { closeAll } from '../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../support/caller.ts';
import { folderWith } from '../support/folder.ts';
import type { Service } from '../support/service.ts';
import { GRANT_TYPE } from './identity-provider.ts';
import {
  block,
  explainedDetails,
  PASSWORD,
  providerOfPage,
  serviceOfPage,
  type Provider,
} from './walk-through.ts';

afterEach(closeAll);

const SCRIPT = path.resolve('examples/jwt/get-token.ts');
const AUDIENCE = 'accounts';
const SCOPE = 'openid email offline_access';

describe('the walk-through of authentication with a JWT', () => {
  test('gets a token from the provider and has the payload protected for its user', async () => {
    const provider = await providerOfPage();
    const service = await serviceOfPage(provider);
    const { stdout, stderr } = await runScript(provider, service);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(block('result')));
    expect(stderr).toBe('A token for 86400 seconds, scope: openid email offline_access\n');
    expect(service.logged.join('\n')).not.toContain('eyJ');
  });

  test('sends the token request that it shows', async () => {
    const provider = await providerOfPage();
    await runScript(provider, await serviceOfPage(provider));
    const [, shown = ''] = block('request').split('\n\n');
    const expected = shown
      .replace('{grant_type}', encodeURIComponent(GRANT_TYPE))
      .replace('{client_secret}', 'application-s3cret')
      .replace('{password}', PASSWORD);
    expect(provider.forms.map(String)).toEqual([expected]);
  });

  test('has the provider answer with the fields that it shows', async () => {
    const provider = await providerOfPage();
    const answer = await fetch(`${provider.url}/oauth/token`, { method: 'POST', body: tokenForm() });
    const shown: object = JSON.parse(block('response'));
    expect(Object.keys(Object(await answer.json()))).toEqual(Object.keys(shown));
  });

  test('adds the custom claims that it shows, by its rule', async () => {
    const provider = await providerOfPage();
    expect(provider.claimsFor('jane', AUDIENCE, SCOPE)).toEqual(JSON.parse(block('claims')));
  });

  test('says in its script which settings there are, and the script asks for each', async () => {
    const names = [...block('script').matchAll(/\b(?<name>[A-Z][A-Z_]+)=/gu)].map(
      ({ groups }) => groups?.['name'] ?? '',
    );
    const provider = await providerOfPage();
    const service = await serviceOfPage(provider);
    expect(names.toSorted()).toEqual(Object.keys(settings(provider, service)).toSorted());
  });

  test('ends with one line if the password is wrong, which does not quote it', async () => {
    const provider = await providerOfPage();
    const outcome = await runScript(provider, await serviceOfPage(provider), { IDP_PASSWORD: 'wr0ng' });
    expect(outcome).toEqual({
      failed: true,
      stdout: '',
      stderr: 'The identity provider answered 403: {"error":"invalid_grant"}\n',
    });
  });
});

describe('what the page says of refusals', () => {
  test('matches the answers to such tokens, and the page has no others', async () => {
    const provider = await providerOfPage();
    const stranger = await providerOfPage();
    const { port } = await serviceOfPage(provider);
    const claims = provider.claimsFor('jane', AUDIENCE, SCOPE);
    const tokens = [
      await provider.sign(claims, '-1h'),
      await provider.sign({ ...claims, aud: 'others' }, '1h'),
      await stranger.sign(claims, '1h'),
      await provider.sign(lodash.omit(claims, 'sub'), '1h'),
      undefined,
    ];
    const answers = await Promise.all(tokens.map((token) => enforceWith(port, token)));
    const details = [
      ...answers.map((answer) => problemIn(answer).detail),
      await detailForUnknownKey(provider),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(details.toSorted()).toEqual(explainedDetails().toSorted());
  });
});

/** The PDP does not know the key that signed the token: its key set has another one only. */
async function detailForUnknownKey(provider: Provider): Promise<string> {
  const jwks = provider.jwks.replace('"kid":"key-1"', '"kid":"key-2"');
  const { port } = await serviceOfPage({ jwks });
  const token = await provider.sign(provider.claimsFor('jane', AUDIENCE, SCOPE), '1h');
  return problemIn(await enforceWith(port, token)).detail;
}

function enforceWith(port: number, token: string | undefined) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return call(port, { headers, body: enforcing('[]', { vendor: { clientId: 'portal' } }) });
}

function tokenForm(): URLSearchParams {
  return new URLSearchParams({
    grant_type: GRANT_TYPE,
    client_id: 'portal-app',
    client_secret: 'application-s3cret',
    audience: AUDIENCE,
    realm: 'employees',
    scope: SCOPE,
    username: 'jane',
    password: PASSWORD,
  });
}

function settings(provider: Provider, service: Service): Readonly<Record<string, string>> {
  return {
    IDP_URL: provider.url,
    IDP_GRANT_TYPE: GRANT_TYPE,
    IDP_CLIENT_ID: 'portal-app',
    IDP_CLIENT_SECRET: 'application-s3cret',
    IDP_AUDIENCE: AUDIENCE,
    IDP_REALM: 'employees',
    IDP_USERNAME: 'jane',
    IDP_PASSWORD: PASSWORD,
    PDP_CLIENT_ID: 'portal',
    AUTHORIZER_URL: service.url,
  };
}

/** Runs the script of the page on its payload. */
async function runScript(
  provider: Provider,
  service: Service,
  others: Readonly<Record<string, string>> = {},
): Promise<{ readonly failed: boolean; readonly stdout: string; readonly stderr: string }> {
  const folder = await folderWith({ 'accounts.json': block('payload') });
  const env = { ...process.env, ...settings(provider, service), ...others };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [SCRIPT, path.join(folder, 'accounts.json')],
      { env },
      (error, stdout, stderr) => {
        resolve({ failed: Error.isError(error), stdout, stderr });
      },
    );
  });
}
