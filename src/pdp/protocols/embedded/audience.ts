import type { Caller } from './caller.ts';
import { claimFits } from './claim-test.ts';
import type { Audience, Policy } from './policy.ts';
import { PdpRefusal } from './refusal.ts';
import { both, either, not, type Truth, type Unknown } from './truth.ts';

/**
 * Whether a policy is for a caller.
 *
 * @throws PdpRefusal where that depends on something that is not known of the caller: a mask that is left out because
 *   nobody said who asks would show what it should hide
 */
export function isFor(policy: Policy, caller: Caller): boolean {
  if (!holdsInScope(policy, caller)) return false;
  const truth = both([
    policy.for === undefined || fitsAny(policy.for, caller),
    policy.except === undefined || not(fitsAny(policy.except, caller)),
  ]);
  if (typeof truth === 'boolean') return truth;
  throw new PdpRefusal(
    401,
    `The policy "${policy.name}" depends on the ${truth} of the caller, which is not known.`,
  );
}

function holdsInScope(policy: Policy, caller: Caller): boolean {
  return (
    policy.scopes === undefined || (caller.clientId !== undefined && policy.scopes.includes(caller.clientId))
  );
}

function fitsAny(audiences: readonly Audience[], caller: Caller): Truth {
  return either(audiences.map((audience) => fits(audience, caller)));
}

function fits({ entityIds, entityTypes, claims = [] }: Audience, caller: Caller): Truth {
  return both([
    isListed(caller.entityTypeId, entityTypes, 'entityTypeId'),
    isListed(caller.entityId, entityIds, 'entityId'),
    ...claims.map((test) => claimFits(test, caller.claims)),
  ]);
}

function isListed(value: string | undefined, list: readonly string[] | undefined, unknown: Unknown): Truth {
  if (list === undefined) return true;
  return value === undefined ? unknown : list.includes(value);
}
