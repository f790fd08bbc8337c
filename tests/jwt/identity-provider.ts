import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import * as z from 'zod';
import { portOf, stopLater } from '../pdp/transport/setup.ts';

/** A user of the identity provider. */
interface User {
  readonly username: string;
  readonly password: string;
  readonly user_metadata: Readonly<Record<string, unknown>>;
}

/** What the identity provider is set up with. */
interface Tenant {
  /** The source of a function that adds claims: `(user, context, callback)`. */
  readonly rule: string;
  readonly issuer: string;
  readonly users: readonly User[];
}

/** An identity provider on loopback. `closeAll` stops it. */
interface IdentityProvider {
  readonly url: string;
  /** Every form that came in. */
  readonly forms: readonly URLSearchParams[];
  /** Its public key set, as JSON. */
  readonly jwks: string;
  /** The claims of the access token of a user. */
  claimsFor(username: string, audience: string, scope: string): JWTPayload;
  /** Signs an access token with other claims or another lifetime than a user would get. */
  sign(claims: JWTPayload, expires: string): Promise<string>;
}

export const GRANT_TYPE = 'https://idp.example.com/grant-type/password-realm';
const LIFETIME = 86_400;

const tokenForm = z.object({
  grant_type: z.literal(GRANT_TYPE),
  client_id: z.literal('portal-app'),
  client_secret: z.literal('application-s3cret'),
  audience: z.string(),
  realm: z.literal('employees'),
  scope: z.string(),
  username: z.string(),
  password: z.string(),
});
type TokenForm = z.output<typeof tokenForm>;

/** Starts an identity provider with an OAuth token endpoint that takes the password-realm grant (docs/jwt-authentication.md). */
export async function startIdentityProvider(tenant: Tenant): Promise<IdentityProvider> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const forms: URLSearchParams[] = [];
  const claimsFor = (username: string, audience: string, scope: string): JWTPayload => ({
    iss: tenant.issuer,
    sub: username,
    aud: audience,
    scope,
    ...customClaims(tenant, username),
  });
  const server = createServer((request, response) => {
    void tokenAnswer(request, forms, tenant, claimsFor, privateKey).then((answer) => send(response, answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopLater(async () => void (await new Promise((resolve) => server.close(resolve))));
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'key-1' }] });
  const url = `http://127.0.0.1:${portOf(server)}`;
  return { url, forms, jwks, claimsFor, sign: (claims, expires) => signed(claims, expires, privateKey) };
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

async function tokenAnswer(
  request: IncomingMessage,
  forms: URLSearchParams[],
  { users }: Tenant,
  claimsFor: IdentityProvider['claimsFor'],
  key: CryptoKey,
): Promise<Reply> {
  const isForm = /^application\/x-www-form-urlencoded\b/u.test(request.headers['content-type'] ?? '');
  if (request.method !== 'POST' || request.url !== '/oauth/token' || !isForm)
    return { status: 404, body: { error: 'not_found' } };
  const form = new URLSearchParams(await text(request));
  forms.push(form);
  const { success, data } = tokenForm.safeParse(Object.fromEntries(form));
  if (!success) return { status: 400, body: { error: 'invalid_request' } };
  const user = users.find(({ username }) => username === data.username);
  if (user?.password !== data.password) return { status: 403, body: { error: 'invalid_grant' } };
  return { status: 200, body: await tokensFor(data, claimsFor, key) };
}

async function tokensFor(
  { username, audience, scope, client_id: application }: TokenForm,
  claimsFor: IdentityProvider['claimsFor'],
  key: CryptoKey,
): Promise<unknown> {
  const claims = claimsFor(username, audience, scope);
  return {
    access_token: await signed(claims, `${LIFETIME}s`, key),
    refresh_token: 'v1.refresh',
    id_token: await signed({ iss: claims.iss ?? '', sub: username, aud: application }, `${LIFETIME}s`, key),
    scope,
    expires_in: LIFETIME,
    token_type: 'Bearer',
  };
}

function customClaims({ rule, users }: Tenant, username: string): JWTPayload {
  const context = { accessToken: {} };
  const user = users.find((one) => one.username === username);
  runInNewContext(`(${rule})(user, context, () => undefined)`, { user, context });
  return context.accessToken;
}

function signed(claims: JWTPayload, expires: string, key: CryptoKey): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(key);
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
