import type { ClaimPath } from '../../../core/index.ts';
import type { Caller } from './caller.ts';
import type { ComparisonEntry, FilterEntry } from './decision.ts';
import { type Comparison, type Condition, type ConditionValue, isComparable } from '../../policies/index.ts';
import { PdpRefusal } from './refusal.ts';
import { knownClaim } from './known-claims.ts';
import type { Unknown } from './truth.ts';

/** How many values of claims the conditions of a decision may have together: each repeats all that a token lists. */
const MOST_CLAIMED = 100_000;

/** Counts the values of claims in the conditions of one decision. */
export class ClaimedValues {
  #count = 0;

  /** @throws PdpRefusal 400 if they are too many, before they are written */
  add(count: number): void {
    this.#count += count;
    if (this.#count > MOST_CLAIMED)
      throw new PdpRefusal(
        400,
        `The conditions of the answer would have more than ${MOST_CLAIMED} values of claims.`,
      );
  }
}

/** What the conditions of a decision are written with. */
export interface ConditionContext {
  /** The name in the decision of an attribute of the record. */
  readonly nameOf: (attribute: string) => string;
  readonly caller: Caller;
  readonly claimed: ClaimedValues;
}

/**
 * A condition as a decision spells it.
 *
 * @throws PdpRefusal if a value about the caller is not known (401), or is missing in the token, empty or not of the
 *   condition's type (403): without it, the condition would hold for too much or too little; if claims have too many values (400)
 */
export function filterEntry(condition: Condition, context: ConditionContext): FilterEntry {
  if ('all' in condition) return { AND: condition.all.map((one) => filterEntry(one, context)) };
  if ('any' in condition) return { OR: condition.any.map((one) => filterEntry(one, context)) };
  return comparisonEntry(condition, context);
}

function comparisonEntry(comparison: Comparison, context: ConditionContext): ComparisonEntry {
  const { attribute, type, operator, values, match } = comparison;
  return {
    attribute: context.nameOf(attribute),
    type,
    operator,
    values: values.flatMap((value) => filledIn(value, comparison, context)),
    ...(match && { match }),
  };
}

function filledIn(
  value: ConditionValue,
  { attribute, type, operator }: Comparison,
  { caller, claimed }: ConditionContext,
): readonly string[] {
  if (typeof value === 'string') return [value];
  const known = 'claim' in value ? claimsOf(caller, value) : [entityIdOf(caller)];
  claimed.add(known.length);
  if (known.length > 0 && known.every((one) => one !== '' && isComparable(type, operator, one))) return known;
  throw new PdpRefusal(403, `The caller has nothing that "${attribute}" can be compared with.`);
}

function claimsOf({ claims }: Caller, { claim }: { claim: ClaimPath }): readonly string[] {
  if (claims === undefined) throw unknownCaller('bearer token');
  return knownClaim(claims, claim)?.texts ?? [];
}

function entityIdOf({ entityId }: Caller): string {
  if (entityId === undefined) throw unknownCaller('entityId');
  return entityId;
}

function unknownCaller(unknown: Unknown): PdpRefusal {
  return new PdpRefusal(401, `A condition depends on the ${unknown} of the caller, which is not known.`);
}
