import type { JsonDocument } from '../../../core/index.ts';
import {
  authorizationIn as readAuthorization,
  TokenRefused,
  verifyToken,
  type Authorization as AnyAuthorization,
  type TokenTrust,
} from '../../../identity/index.ts';
import type { HeaderFields } from '../../port.ts';
import { PdpRefusal } from './refusal.ts';

/** What the `Authorization` header holds: a bearer token, nothing, or something else. */
export type Authorization = Exclude<AnyAuthorization, 'several'>;

/**
 * Reads the `Authorization` header (RFC 6750 §2.1).
 *
 * @throws PdpRefusal 401 if there are several: choosing one would be a guess
 */
export function authorizationIn(headers: HeaderFields): Authorization {
  const authorization = readAuthorization(headers);
  if (authorization !== 'several') return authorization;
  throw new PdpRefusal(401, 'There is more than one Authorization header.');
}

/**
 * The claims of a token that a scope believes.
 *
 * @throws PdpRefusal 401 with what is wrong with the token
 */
export async function verifiedClaims(token: string, trust: TokenTrust): Promise<JsonDocument> {
  try {
    return await verifyToken(token, trust);
  } catch (error) {
    throw error instanceof TokenRefused ? new PdpRefusal(401, error.message) : error;
  }
}
