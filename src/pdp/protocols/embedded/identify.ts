import type { HeaderFields } from '../../port.ts';
import { bearerToken, decodedClaims, verifiedClaims } from './bearer-token.ts';
import type { Caller } from './caller.ts';
import type { Claims } from './claims.ts';
import { agreedIdentity, statedIdentity } from './identity.ts';
import type { PolicyFile, Scope } from './policy.ts';
import type { Question } from './question.ts';
import { PdpRefusal } from './refusal.ts';
import { isSameSecret } from './secret.ts';

/**
 * Finds out who asks, and whether they may (specification 2.3 and 5).
 *
 * A scope is entered with its secret or with a token that it believes; where both are sent, both must be right. Without
 * scopes anyone may ask.
 *
 * @throws PdpRefusal 401 where the scope, its secret or the token is missing or wrong; 403 where the token is not that
 *   of the user whom the question names
 */
export async function identifyCaller(
  file: PolicyFile,
  question: Question,
  headers: HeaderFields,
): Promise<Caller> {
  const token = bearerToken(headers);
  const scope = file.scopes && enteredScope(file.scopes, question, token);
  const claims = await believedClaims(file, scope, token);
  const byTokenAlone = scope !== undefined && question.clientSecret === undefined;
  const identityOf = byTokenAlone && scope.jwt?.actsForOthers !== true ? agreedIdentity : statedIdentity;
  return { clientId: scope?.clientId, ...identityOf(question, scope, claims), claims };
}

/** The scope that the question names, once its secret is found right or a token stands in for it. */
function enteredScope(scopes: readonly Scope[], question: Question, token: string | undefined): Scope {
  const clientId = question.clientId ?? question.clientID;
  if (clientId === undefined) throw new PdpRefusal(401, '`clientId` is missing.');
  const scope = scopes.find((one) => one.clientId === clientId);
  if (question.clientSecret !== undefined) return withSecret(scope, question.clientSecret);
  if (scope?.jwt && token !== undefined) return scope;
  throw new PdpRefusal(401, 'The scope cannot be entered without a client secret or a bearer token.');
}

/** Says the same of a scope that is not there as of a wrong secret, so that nobody can find out which scopes there are. */
function withSecret(scope: Scope | undefined, secret: string): Scope {
  const isRight = isSameSecret(secret, scope?.clientSecret ?? '');
  if (scope?.clientSecret !== undefined && isRight) return scope;
  throw new PdpRefusal(401, 'The client id or the client secret is not right.');
}

async function believedClaims(
  file: PolicyFile,
  scope: Scope | undefined,
  token: string | undefined,
): Promise<Claims | undefined> {
  if (token === undefined) return undefined;
  if (scope?.jwt) return verifiedClaims(token, scope.jwt);
  return file.trustUnverifiedClaims ? decodedClaims(token) : undefined;
}
