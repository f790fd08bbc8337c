import type { Caller } from './caller.ts';
import type { Audience, ClaimTest, Policy } from '../../policies/index.ts';
import { PdpRefusal } from './refusal.ts';
import { both, either, not, type Truth, type Unknown } from './truth.ts';
import {
  claimValues,
  compareDecimals,
  parseDecimal,
  type ClaimValue,
  type JsonDocument,
} from '../../../core/index.ts';

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
  const found = claimValues(claims, claim);
  if (found === undefined) return 'claim';
  return found.some((value) => values.some((listed) => isSame(value, listed)));
}

/** Numbers are the same if they are equal, however they are written: `1`, `1.0` and `1e0`. */
function isSame({ text, isNumber }: ClaimValue, listed: string): boolean {
  return text === listed || (isNumber && isEqual(text, listed));
}

function isEqual(text: string, listed: string): boolean {
  const [one, other] = [parseDecimal(text), parseDecimal(listed)];
  return one !== undefined && other !== undefined && compareDecimals(one, other) === 0;
}
