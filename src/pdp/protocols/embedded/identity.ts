import type { Caller } from './caller.ts';
import { claimValues, type ClaimPath, type Claims, SUBJECT } from './claims.ts';
import type { Scope } from './policy.ts';
import type { Question } from './question.ts';
import { PdpRefusal } from './refusal.ts';

/** The user whom a decision is about. */
type Identity = Pick<Caller, 'entityId' | 'entityTypeId'>;

/** The user whom the question names; what it leaves out comes from the token, then from the scope (specification 2.3). */
export function statedIdentity(
  question: Question,
  scope: Scope | undefined,
  claims: Claims | undefined,
): Identity {
  const known = knownIdentity(scope, claims);
  return {
    entityId: question.entityId ?? known.entityId,
    entityTypeId: question.entityTypeId ?? known.entityTypeId,
  };
}

/**
 * The user whom the token names, for a question that a token alone let in: its bearer may not ask for somebody else.
 *
 * @throws PdpRefusal 403 where the question names somebody else
 */
export function agreedIdentity(
  question: Question,
  scope: Scope | undefined,
  claims: Claims | undefined,
): Identity {
  const known = knownIdentity(scope, claims);
  const stated = statedIdentity(question, scope, claims);
  if (stated.entityId !== known.entityId) throw new PdpRefusal(403, refusalOf('entityId'));
  if (known.entityTypeId !== undefined && stated.entityTypeId !== known.entityTypeId) {
    throw new PdpRefusal(403, refusalOf('entityTypeId'));
  }
  return stated;
}

function refusalOf(member: keyof Identity): string {
  return `The token is not that of the user whom \`${member}\` names.`;
}

function knownIdentity(scope: Scope | undefined, claims: Claims | undefined): Identity {
  return {
    entityId: onlyValue(claims, scope?.jwt?.entityId ?? SUBJECT),
    entityTypeId: onlyValue(claims, scope?.jwt?.entityTypeId) ?? scope?.entityTypeId,
  };
}

/** The one value at a path; several are as good as none. */
function onlyValue(claims: Claims | undefined, path: ClaimPath | undefined): string | undefined {
  if (claims === undefined || path === undefined) return undefined;
  const [value, ...others] = claimValues(claims, path);
  return others.length === 0 ? value : undefined;
}
