import { readTokenClaims, type JsonDocument } from '../../../core/index.ts';
import type { HeaderFields } from '../../port.ts';
import type { Caller } from './caller.ts';
import { agreedIdentity, statedIdentity } from './identity.ts';
import type { PolicyFile, Scope } from '../../policies/index.ts';
import type { Question } from './question.ts';
import { PdpRefusal } from './refusal.ts';
import process from 'node:process';
import {
  authorizationIn as readAuthorization,
  TokenRefused,
  loadVerifyToken,
  type Authorization as AnyAuthorization,
  type TokenTrust,
} from '../../../identity/index.ts';

/** Finds out who asks: at once, unless a token has to be verified. @throws PdpRefusal if that is not known, or if they may not ask */
export type Identify = (
  file: PolicyFile,
  question: Question,
  headers: HeaderFields,
) => Caller | Promise<Caller>;

/**
 * Finds out who asks, and whether they may (docs/policy-file.md#scopes).
 *
 * A scope is entered with its secret or with a token that it accepts. If a request has both, both must be right.
 * Without scopes, anyone may ask.
 *
 * @throws PdpRefusal 401 if the scope, its secret or the token is missing or wrong; 403 if the token belongs to another
 *   user than the question names
 */
export function identifyCaller(
  file: PolicyFile,
  question: Question,
  headers: HeaderFields,
): Caller | Promise<Caller> {
  const authorization = authorizationIn(headers);
  const scope = file.scopes && enteredScope(file.scopes, question, authorization);
  const claims = acceptedClaims(file, scope, authorization);
  if (!(claims instanceof Promise)) return callerFrom(question, scope, claims);
  return claims.then((verified) => callerFrom(question, scope, verified));
}

function callerFrom(question: Question, scope: Scope | undefined, claims: JsonDocument | undefined): Caller {
  const byTokenAlone = scope !== undefined && question.clientSecret === undefined;
  const identityOf = byTokenAlone && scope.jwt?.actsForOthers !== true ? agreedIdentity : statedIdentity;
  const { entityId, entityTypeId } = identityOf(question, scope, claims);
  return { clientId: scope?.clientId, entityId, entityTypeId, claims };
}

/** The scope that the question names, if its secret is right or if the token can take the place of a secret. */
function enteredScope(scopes: readonly Scope[], question: Question, authorization: Authorization): Scope {
  const clientId = question.clientId ?? question.clientID;
  if (clientId === undefined) throw new PdpRefusal(401, '`clientId` is missing.');
  const scope = scopes.find((one) => one.clientId === clientId);
  if (question.clientSecret !== undefined) return withSecret(scope, question.clientSecret);
  if (scope?.jwt && typeof authorization === 'object') return scope;
  throw new PdpRefusal(401, 'The scope cannot be entered without a client secret or a bearer token.');
}

/** The answer for an unknown scope is the same as for a wrong secret, so nobody can find out which scopes exist. */
function withSecret(scope: Scope | undefined, secret: string): Scope {
  const isRight = isSameSecret(secret, scope?.clientSecret ?? '');
  if (scope?.clientSecret !== undefined && isRight) return scope;
  throw new PdpRefusal(401, 'The client id or the client secret is not right.');
}

function acceptedClaims(
  file: PolicyFile,
  scope: Scope | undefined,
  authorization: Authorization,
): JsonDocument | undefined | Promise<JsonDocument> {
  if (authorization === 'unreadable' && scope?.jwt)
    throw new PdpRefusal(401, 'The Authorization header has no readable bearer token.');
  if (typeof authorization !== 'object') return undefined;
  if (scope?.jwt) return verifiedClaims(authorization.token, scope.jwt);
  return file.trustUnverifiedClaims ? readTokenClaims(authorization.token) : undefined;
}

/** Compares two secrets in a time that does not depend on their first difference. */
function isSameSecret(given: string, expected: string): boolean {
  const { timingSafeEqual } = process.getBuiltinModule('node:crypto');
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(secret: string): Uint8Array {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(secret).digest();
}

/** What the `Authorization` header holds: a bearer token, nothing, or something else. */
type Authorization = Exclude<AnyAuthorization, 'several'>;

/**
 * Reads the `Authorization` header (RFC 6750 §2.1).
 *
 * @throws PdpRefusal 401 if there are several: choosing one would be a guess
 */
function authorizationIn(headers: HeaderFields): Authorization {
  const authorization = readAuthorization(headers);
  if (authorization !== 'several') return authorization;
  throw new PdpRefusal(401, 'There is more than one Authorization header.');
}

/**
 * The claims of a token that a scope believes.
 *
 * @throws PdpRefusal 401 with what is wrong with the token
 */
async function verifiedClaims(token: string, trust: TokenTrust): Promise<JsonDocument> {
  try {
    const { verifyToken } = await loadVerifyToken();
    return await verifyToken(token, trust);
  } catch (error) {
    throw error instanceof TokenRefused ? new PdpRefusal(401, error.message) : error;
  }
}
