import {
  CompactSign,
  exportJWK,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CompactJWSHeaderParameters,
  type JWK,
  type JWTPayload,
} from 'jose';
import type { HeaderFields } from '../../../../src/pdp/port.ts';

export const ISSUER = 'https://idp.example.com/';
export const AUDIENCE = 'bank';

/** An identity provider of the tests: a key set, and tokens signed with its key. */
export interface IdentityProvider {
  /** The public key set, as JSON; JSON is YAML too. */
  readonly jwks: string;
  sign(claims: JWTPayload, expires?: string): Promise<string>;
  /** Signs a token whose claims are this text. */
  signText(claims: string, header?: Partial<CompactJWSHeaderParameters>): Promise<string>;
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
    signText: (claims, header = {}) =>
      new CompactSign(new TextEncoder().encode(claims))
        .setProtectedHeader({ alg: 'ES256', kid, ...header })
        .sign(privateKey),
  };
}

/** The text of claims that are right but for what `members` says. */
export function claimsWith(members: string): string {
  return `{"iss":"${ISSUER}","aud":"${AUDIENCE}","exp":${Math.floor(Date.now() / 1000) + 3600},${members}}`;
}

/** A token that nobody signed, of these texts. */
export function tokenOf(header: string, claims: string): string {
  return [header, claims, 'signature'].map((part) => Buffer.from(part).toString('base64url')).join('.');
}

/** A token that nobody signed. */
export function unsignedToken(claims: JWTPayload): string {
  return new UnsecuredJWT(claims).encode();
}

export function bearer(token: string): HeaderFields {
  return [['Authorization', `Bearer ${token}`]];
}
