import { createServer } from 'node:http';
import { CompactSign, exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';
import { listening, portOf } from '../pdp/transport/setup.ts';

const AUDIENCE = 'customers-api';

/** An identity provider on loopback that tests can take down and rotate the keys of. `closeAll` stops it. */
export interface Provider {
  readonly url: string;
  readonly jwt: { readonly issuer: string; readonly audience: string };
  /** The paths that were asked for. */
  readonly requests: readonly string[];
  /** Answers with another status and body or not at all, or resets the connection; undefined: works again. */
  readonly fail: (
    how: { readonly status: number; readonly body: string } | 'reset' | 'silence' | undefined,
  ) => void;
  /** Has the next answer wait, as it is now. @returns what lets it go */
  readonly holdNext: () => () => void;
  /** Signs with a new key, which the key set has in place of the one before. */
  readonly rotate: (how?: Rotation) => Promise<void>;
  readonly sign: (claims?: JWTPayload, alg?: string) => Promise<string>;
  /** Signs a token that never expires. */
  readonly signLasting: () => Promise<string>;
  /** Signs claims as they are written. */
  readonly signText: (claims: string) => Promise<string>;
}

interface Rotation {
  /** The id of the new key; `null`: none. */
  readonly kid?: string | null;
  /** Whether the key set has the keys before it, too. */
  readonly isAdded?: boolean;
}

interface SigningKey {
  readonly jwk: JWK;
  readonly sign: (token: SignJWT | CompactSign) => Promise<string>;
}

async function createKey(kid: string | null): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const named = kid === null ? {} : { kid };
  return {
    jwk: { ...(await exportJWK(publicKey)), ...named },
    sign: (token) => token.setProtectedHeader({ alg: 'ES256', ...named }).sign(privateKey),
  };
}

export async function startProvider(): Promise<Provider> {
  let key = await createKey('key-0');
  let older: readonly JWK[] = [];
  let failure: Parameters<Provider['fail']>[0];
  let held: Promise<void> | undefined;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    requests.push(url);
    if (failure === 'silence') return;
    if (failure === 'reset') return void request.socket.destroy();
    if (failure !== undefined) return void response.writeHead(failure.status).end(failure.body);
    const documents: Readonly<Record<string, unknown>> = {
      '/.well-known/openid-configuration': { issuer: origin, jwks_uri: `${origin}/keys` },
      '/keys': { keys: [...older, key.jwk, { kty: 'new-type' }, { kid: 'without type' }] },
    };
    const document = documents[url];
    const body = JSON.stringify(document ?? {});
    const answer = () => void response.writeHead(document === undefined ? 404 : 200).end(body);
    if (held === undefined) answer();
    else void held.then(answer);
    held = undefined;
  });
  await listening(server);
  const origin = `http://127.0.0.1:${portOf(server)}`;
  const jwt = { issuer: origin, audience: AUDIENCE };
  return {
    url: origin,
    jwt,
    requests,
    fail: (how) => (failure = how),
    holdNext: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    rotate: async ({ kid = `key-${requests.length}`, isAdded = false } = {}) => {
      older = isAdded ? [...older, key.jwk] : [];
      key = await createKey(kid);
    },
    sign: (claims = {}) =>
      key.sign(
        new SignJWT({ iss: origin, aud: AUDIENCE, sub: 'jane', ...claims }).setExpirationTime(
          claims.exp ?? '1h',
        ),
      ),
    signLasting: () => key.sign(new SignJWT({ iss: origin, aud: AUDIENCE, sub: 'jane' })),
    signText: (claims) => key.sign(new CompactSign(Buffer.from(claims))),
  };
}
