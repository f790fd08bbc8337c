import { decodeJwt, errors, jwtVerify } from 'jose';
import type { HeaderFields } from '../../port.ts';
import type { Claims } from './claims.ts';
import type { TokenTrust } from './policy.ts';
import { PdpRefusal } from './refusal.ts';

const BEARER = /^bearer +([\w.~+/-]+=*)$/i;

/**
 * The token of the `Authorization` header (RFC 6750 §2.1); undefined where there is none, or another scheme stands there.
 *
 * @throws PdpRefusal 401 where the header stands more than once: which one counts would be a guess
 */
export function bearerToken(headers: HeaderFields): string | undefined {
  const fields = headers.filter(([name]) => name.toLowerCase() === 'authorization');
  if (fields.length > 1) throw new PdpRefusal(401, 'There is more than one Authorization header.');
  const [, value = ''] = fields[0] ?? [];
  return BEARER.exec(value.trim())?.[1];
}

/**
 * The claims of a token that a scope believes: signed by one of its keys, in time, and from and for whom the scope says.
 *
 * @throws PdpRefusal 401 with what is wrong with the token
 */
export async function verifiedClaims(token: string, { jwks, issuer, audience }: TokenTrust): Promise<Claims> {
  const expected = { ...(issuer !== undefined && { issuer }), ...(audience !== undefined && { audience }) };
  try {
    const { payload } = await jwtVerify(token, jwks, expected);
    return payload;
  } catch (error) {
    throw new PdpRefusal(401, whatIsWrong(error));
  }
}

/** The claims of a token as it stands, not verified; undefined where it is no JWT. */
export function decodedClaims(token: string): Claims | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

function whatIsWrong(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The claim \`${error.claim}\` of the token is not accepted.`;
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'The signature of the token is not right.';
  if (error instanceof errors.JWKSNoMatchingKey) return 'The token is signed with a key that is not known.';
  if (error instanceof errors.JWKSMultipleMatchingKeys) return 'The token does not say which key signed it.';
  return 'The token is not valid.';
}
