import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWK, type JWTPayload } from 'jose';
import type { HeaderFields } from '../../../../src/pdp/port.ts';

export const ISSUER = 'https://idp.example.com/';
export const AUDIENCE = 'bank';

/** An identity provider of the tests: a key set, and tokens signed with its key. */
export interface IdentityProvider {
  /** The public key set, as JSON; JSON is YAML too. */
  readonly jwks: string;
  sign(claims: JWTPayload, expires?: string): Promise<string>;
}

export async function createIdentityProvider(kid = 'key-1'): Promise<IdentityProvider> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key: JWK = { ...(await exportJWK(publicKey)), kid };
  return {
    jwks: JSON.stringify({ keys: [key] }),
    sign: (claims, expires = '1h') =>
      new SignJWT({ iss: ISSUER, aud: AUDIENCE, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setExpirationTime(expires)
        .sign(privateKey),
  };
}

/** A token that nobody signed. */
export function unsignedToken(claims: JWTPayload): string {
  return new UnsecuredJWT(claims).encode();
}

export function bearer(token: string): HeaderFields {
  return [['Authorization', `Bearer ${token}`]];
}
