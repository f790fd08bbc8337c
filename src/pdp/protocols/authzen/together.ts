import { allOf, dryRunPolicies, type FilterRule } from '../../../core/index.ts';
import { notUnderstood, type Found, type JsonPointer } from '../../decisions/index.ts';

/** A rule by which records stay. */
interface Keeping {
  readonly filter: FilterRule;
}

/** More combinations of rules than this are refused: a few kilobytes could ask for millions. */
const MOST = 10_000;

/**
 * What several obligations ask for together. Each has to be fulfilled, so a record stays if each of those that say which
 * records stay has a rule for it.
 *
 * @param place of the obligations
 * @throws ServiceError `decision-not-understood` if that takes too many combinations of rules
 */
export function fulfilledTogether(
  obligations: readonly (readonly Found[])[],
  place: JsonPointer,
): readonly Found[] {
  const all = obligations.flat();
  const groups = obligations.map((found) => found.filter(keeps)).filter((group) => group.length > 0);
  if (groups.length < 2) return all;
  const others = all.filter((one) => !keeps(one));
  const [first = [], ...more] = groups;
  return [...others, ...more.reduce<readonly Keeping[]>((some, next) => combined(some, next, place), first)];
}

/** Whether it says that records stay; in dry run, it decides nothing. */
export function keeps(one: Found): one is Keeping {
  return 'filter' in one && one.filter.effect === 'allow' && dryRunPolicies(one.filter) === undefined;
}

function combined(
  some: readonly Keeping[],
  more: readonly Keeping[],
  place: JsonPointer,
): readonly Keeping[] {
  if (some.length * more.length > MOST)
    throw notUnderstood(`more than ${MOST} combinations of filters`, place);
  return some.flatMap((one) => more.map((other) => ({ filter: both(one.filter, other.filter) })));
}

function both(one: FilterRule, other: FilterRule): FilterRule {
  return {
    ...one,
    policies: [...one.policies, ...other.policies],
    condition: allOf([one.condition, other.condition]),
    assetIds: ofBoth(one.assetIds, other.assetIds),
  };
}

/** Undefined is all assets. */
function ofBoth(some: FilterRule['assetIds'], others: FilterRule['assetIds']): FilterRule['assetIds'] {
  if (some === undefined || others === undefined) return some ?? others;
  return new Set([...some].filter((id) => others.has(id)));
}
