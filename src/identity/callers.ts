import { type JsonDocument } from '../core/index.ts';
import { RETRY_SOON, ServiceError, invalidToken } from '../errors.ts';
import { ALGORITHMS } from './algorithms.ts';
import { authorizationIn } from './bearer.ts';
import { TokenRefused } from './refused.ts';
import { RemoteKeys } from './remote-keys.ts';
import { IdentityUnavailable } from './unavailable.ts';
import { verifyToken, type TokenTrust } from './verify-token.ts';

/** Which tokens of callers the service accepts (`identity.jwt`). */
export interface JwtSettings {
  readonly issuer: string;
  readonly audience: string;
  /** Undefined: by discovery. */
  readonly jwksUri?: string | undefined;
  readonly algorithms?: readonly string[] | undefined;
  /** In milliseconds. */
  readonly clockTolerance?: number | undefined;
}

/** Who calls, by a bearer token. */
export interface Callers {
  /**
   * The claims of the verified token.
   *
   * @throws ServiceError `token-refused` if the caller sends no token or an invalid one, `identity-unavailable` if the
   *   keys of the identity provider cannot be fetched
   */
  claims(headers: readonly (readonly [name: string, value: string])[]): Promise<JsonDocument>;
  /** How much longer a token counts than its `exp` says, in seconds. */
  readonly clockTolerance: number;
  close(): Promise<void>;
}

/** @param onStale is called with the reason each time that keys could not be fetched again and go on counting */
export function createCallers(jwt: JwtSettings, onStale: (reason: string) => void): Callers {
  const keys = new RemoteKeys({ issuer: jwt.issuer, jwksUri: jwt.jwksUri }, onStale);
  const { issuer, audience, algorithms = ALGORITHMS } = jwt;
  const clockTolerance = (jwt.clockTolerance ?? 0) / 1000;
  const trust = { issuer, audience, algorithms, requireExpiration: true, clockTolerance };
  return {
    clockTolerance,
    claims: async (headers) => claimsOf(tokenIn(headers), { ...trust, ...keys.forToken() }),
    close: () => keys.close(),
  };
}

function tokenIn(headers: readonly (readonly [name: string, value: string])[]): string {
  const authorization = authorizationIn(headers);
  if (typeof authorization === 'object') return authorization.token;
  if (authorization === 'absent') throw refused('A bearer token is required.', 'Bearer');
  if (authorization === 'several') throw invalidToken('There is more than one Authorization header.');
  throw refused('The Authorization header has no readable bearer token.', 'Bearer');
}

async function claimsOf(token: string, trust: TokenTrust): Promise<JsonDocument> {
  try {
    return await verifyToken(token, trust);
  } catch (error) {
    if (error instanceof TokenRefused) throw invalidToken(error.message);
    if (!(error instanceof IdentityUnavailable)) throw error;
    // Clients of the proxy need not know where the identity provider is: only the log has the reason.
    throw new ServiceError('identity-unavailable', 'The token cannot be verified now.', {
      headers: RETRY_SOON,
      cause: error,
    });
  }
}

function refused(sentence: string, challenge: string): ServiceError {
  return new ServiceError('token-refused', sentence, { headers: { 'WWW-Authenticate': challenge } });
}
