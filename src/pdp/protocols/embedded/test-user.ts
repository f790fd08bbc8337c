import { readTokenObject } from '../../../core/index.ts';
import type { Caller } from './caller.ts';
import type { Identify } from './identify.ts';
import type { TestUser } from './policy-file/load-tests.ts';
import type { PolicyFile, Scope } from '../../policies/index.ts';
import type { Question } from './question.ts';
import { PdpRefusal } from './refusal.ts';

/**
 * Takes the user of a test for the caller, without a secret and without a token: tests are about what policies say to a
 * user, not about how users prove who they are. If the policy file has scopes, the test still has to name one.
 */
export function userOfTest(user: TestUser): Identify {
  return (file, question) => Promise.resolve(callerFrom(user, scopeOf(file, question)));
}

function callerFrom({ entityId, entityTypeId, claims }: TestUser, scope: Scope | undefined): Caller {
  return {
    clientId: scope?.clientId,
    entityId,
    entityTypeId: entityTypeId ?? scope?.entityTypeId,
    claims: claims === undefined ? undefined : readTokenObject(Buffer.from(claims)),
  };
}

function scopeOf({ scopes }: PolicyFile, { clientId, clientID }: Question): Scope | undefined {
  if (scopes === undefined) return undefined;
  const name = clientId ?? clientID;
  if (name === undefined) throw new PdpRefusal(401, '`clientId` is missing: the policy file has scopes.');
  const scope = scopes.find((one) => one.clientId === name);
  if (scope === undefined) throw new PdpRefusal(401, '`clientId` names no scope of the policy file.');
  return scope;
}
