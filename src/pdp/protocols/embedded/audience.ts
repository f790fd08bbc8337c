import type { Caller } from './caller.ts';
import type { Audience, ClaimTest, Policy } from '../../policies/index.ts';
import { PdpRefusal } from './refusal.ts';
import { both, either, not, type Truth, type Unknown } from './truth.ts';
import type { JsonDocument } from '../../../core/index.ts';
import { knownClaim } from './known-claims.ts';

/**
 * Whether a policy is for a caller.
 *
 * @throws PdpRefusal if that depends on something that is not known of the caller: to leave out the mask of an unknown
 *   caller would show what it should hide
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

/**
 * Whether a claim has one of the listed values.
 *
 * @returns what has to be known, if there is no token or the claim cannot be compared with text
 */
function claimFits({ claim, values }: ClaimTest, claims: JsonDocument | undefined): Truth {
  if (claims === undefined) return 'bearer token';
  const found = knownClaim(claims, claim);
  return found === undefined ? 'claim' : found.isAmong(values);
}
