import {
  SUBJECT,
  identifierAt,
  type ClaimPath,
  type JsonDocument,
  type Statement,
} from '../../../core/index.ts';
import type { Caller } from './caller.ts';
import type { Scope } from '../../policies/index.ts';
import type { Question } from './question.ts';
import { PdpRefusal } from './refusal.ts';

/** The user whom a decision is about. */
type Identity = Pick<Caller, 'entityId' | 'entityTypeId'>;
type Member = keyof Identity;

/** The user whom the question names; a missing part comes from the token, then from the scope. */
export function statedIdentity(
  question: Question,
  scope: Scope | undefined,
  claims: JsonDocument | undefined,
): Identity {
  const known = knownIdentity(scope, claims);
  return {
    entityId: question.entityId ?? textOf(known.entityId),
    entityTypeId: question.entityTypeId ?? textOf(known.entityTypeId),
  };
}

/**
 * The user whom the token names, for a question that a token alone let in. The token's bearer may not ask for somebody
 * else, so the question can repeat what is known, and add nothing to it.
 *
 * @throws PdpRefusal 401 if the token does not clearly say what it must; 403 if the question names somebody else
 */
export function agreedIdentity(
  question: Question,
  scope: Scope | undefined,
  claims: JsonDocument | undefined,
): Identity {
  const { entityId, entityTypeId } = knownIdentity(scope, claims);
  const mustNameType = scope?.jwt?.entityTypeId !== undefined;
  return {
    entityId: agreed('entityId', entityId, question, true),
    entityTypeId: agreed('entityTypeId', entityTypeId, question, mustNameType),
  };
}

function agreed(
  member: Member,
  known: Statement,
  question: Question,
  mustBeKnown: boolean,
): string | undefined {
  const text = textOf(known);
  if (text === undefined && mustBeKnown)
    throw new PdpRefusal(401, `The token does not clearly say the \`${member}\` of its user.`);
  if (question[member] !== undefined && question[member] !== text)
    throw new PdpRefusal(403, `The token is not that of the user whom \`${member}\` names.`);
  return text;
}

type KnownIdentity = Readonly<Record<Member, Statement>>;

function knownIdentity(scope: Scope | undefined, claims: JsonDocument | undefined): KnownIdentity {
  const type = statementAt(claims, scope?.jwt?.entityTypeId);
  const ofScope = scope?.entityTypeId;
  return {
    entityId: statementAt(claims, scope?.jwt?.entityId ?? SUBJECT),
    entityTypeId: type === 'absent' && ofScope !== undefined ? { text: ofScope } : type,
  };
}

function statementAt(claims: JsonDocument | undefined, path: ClaimPath | undefined): Statement {
  return claims === undefined || path === undefined ? 'absent' : identifierAt(claims, path);
}

function textOf(statement: Statement): string | undefined {
  return typeof statement === 'object' ? statement.text : undefined;
}
