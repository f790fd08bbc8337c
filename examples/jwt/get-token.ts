/**
 * Gets a user's token from an identity provider and has a payload protected for that user:
 *
 *     node examples/jwt/get-token.ts payload.json
 *
 * The environment says where and who; docs/jwt-authentication.md explains it. The protected payload goes to standard
 * output. Neither the password nor any token is printed.
 */
import { readFile } from 'node:fs/promises';
import process from 'node:process';

/** What the identity provider answers, as far as it is of use here (specification 5.5). */
interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set.`);
  return value;
}

/** The token request: a form with the credentials of the application and of the user (specification 5.5). */
function tokenRequest(): URLSearchParams {
  return new URLSearchParams({
    grant_type: setting('IDP_GRANT_TYPE'),
    client_id: setting('IDP_CLIENT_ID'),
    client_secret: setting('IDP_CLIENT_SECRET'),
    audience: setting('IDP_AUDIENCE'),
    realm: setting('IDP_REALM'),
    scope: process.env['IDP_SCOPE'] ?? 'openid email offline_access',
    username: setting('IDP_USERNAME'),
    password: setting('IDP_PASSWORD'),
  });
}

function isTokenResponse(body: unknown): body is TokenResponse {
  return typeof body === 'object' && body !== null && 'access_token' in body && 'expires_in' in body;
}

/** `fetch` itself does not say whom it could not reach, or why. */
async function post(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { method: 'POST', ...request });
  } catch (error) {
    const cause =
      Error.isError(error) && Error.isError(error.cause) ? error.cause.message : 'no reason is known';
    throw new Error(`${url} cannot be reached: ${cause}`, { cause: error });
  }
}

async function getToken(): Promise<TokenResponse> {
  const answer = await post(`${setting('IDP_URL')}/oauth/token`, { body: tokenRequest() });
  if (!answer.ok) throw new Error(`The identity provider answered ${answer.status}: ${await answer.text()}`);
  const body: unknown = await answer.json();
  if (!isTokenResponse(body)) throw new Error('The identity provider answered no token.');
  return body;
}

/** Has a payload protected for whom the token names. The scope takes JWTs, so there is no client secret. */
async function enforce(payload: string, token: string): Promise<string> {
  const vendor = JSON.stringify({ clientId: setting('PDP_CLIENT_ID') });
  const answer = await post(`${setting('AUTHORIZER_URL')}/enforce`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: `{"parameters":{},"vendor":${vendor},"json":${payload}}`,
  });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`The authorizer answered ${answer.status}: ${body}`);
  return body;
}

async function main(file: string | undefined): Promise<void> {
  if (file === undefined) throw new Error('Usage: node examples/jwt/get-token.ts <payload.json>');
  const payload = await readFile(file, 'utf8');
  const { access_token: token, expires_in: seconds, scope } = await getToken();
  process.stderr.write(`A token for ${seconds} seconds, scope: ${scope}\n`);
  process.stdout.write(`${await enforce(payload, token)}\n`);
}

try {
  await main(process.argv[2]);
} catch (error) {
  process.stderr.write(`${Error.isError(error) ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
