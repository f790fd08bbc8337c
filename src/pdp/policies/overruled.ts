import { belongsToAccess, filtersRecords, type Policy } from './policy.ts';

/** A policy that changes nothing, because another one changes its properties first, for everyone and in each record. */
export interface Overruled {
  readonly policy: string;
  readonly by: string;
}

/** What comes first among the policies about a property: the lowest priority, then access, then the order in the file. */
interface Rank {
  readonly policy: Policy;
  readonly priority: number;
  readonly isConditional: boolean;
  readonly index: number;
}

/**
 * Finds policies that never apply, as far as that shows by properties that are written alike. The work is linear in the
 * properties of the file.
 */
export function overruledPolicies(policies: readonly Policy[]): readonly Overruled[] {
  const ranks = policies.filter(isMask).map(rankOf);
  const firstForAll = new Map<string, Rank>();
  for (const rank of ranks.filter(({ policy }) => isForAll(policy)))
    for (const key of keysOf(rank.policy)) {
      const known = firstForAll.get(key);
      if (known === undefined || precedes(rank, known)) firstForAll.set(key, rank);
    }
  return ranks.flatMap((rank) => {
    const before = keysOf(rank.policy).map((key) => firstForAll.get(key));
    const [first] = before;
    const isOverruled = before.every((other) => other !== undefined && precedes(other, rank));
    return first !== undefined && isOverruled ? [{ policy: rank.policy.name, by: first.policy.name }] : [];
  });
}

/** Literals fill what is not there, which masks leave alone. A dry run holds nothing up, and some assets have rules of their own. */
function isMask({ action, effect, properties, assets, metadata }: Policy): boolean {
  const changes = !filtersRecords(action) && action.value === undefined && effect === 'allowed';
  return changes && Array.isArray(properties) && assets === undefined && metadata['DRY_RUN'] === undefined;
}

function rankOf(policy: Policy, index: number): Rank {
  return { policy, priority: policy.priority ?? Infinity, isConditional: !belongsToAccess(policy), index };
}

function isForAll({ for: audience, except, scopes, when }: Policy): boolean {
  return [audience, except, scopes, when].every((limit) => limit === undefined);
}

function keysOf({ assetType, object, properties }: Policy): readonly string[] {
  return Array.isArray(properties)
    ? properties.map((property) => JSON.stringify([assetType, object, property]))
    : [];
}

/** Policies of one priority are in no order that could be a mistake. */
function precedes(one: Rank, other: Rank): boolean {
  if (one.priority !== other.priority) return one.priority < other.priority;
  if (one.priority !== Infinity) return false;
  if (one.isConditional !== other.isConditional) return other.isConditional;
  return one.index < other.index;
}
