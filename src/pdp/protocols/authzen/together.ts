import _ from 'lodash';
import { allOf, dryRunPolicies, type Condition, type FilterRule } from '../../../core/index.ts';
import { notUnderstood, type Found, type JsonPointer } from '../../decisions/index.ts';

/** A rule by which records stay. */
interface Keeping {
  readonly filter: FilterRule;
}

/** More combinations of rules than this are refused: a few kilobytes could ask for millions. */
const MOST = 10_000;
/** More rules in all combinations together, more values in their conditions, and more assets to compare are refused as well. */
const MOST_RULES = 20 * MOST;
const MOST_VALUES = 100 * MOST;
const MOST_ASSETS = 100 * MOST;

/**
 * What several obligations ask for together. Each has to be fulfilled, so a record stays if each of those that say which
 * records stay has a rule for it.
 *
 * @param place of the obligations
 * @throws ServiceError `decision-not-understood` if that takes too many combinations of rules, or too long ones
 */
export function fulfilledTogether(
  obligations: readonly (readonly Found[])[],
  place: JsonPointer,
): readonly Found[] {
  const all = obligations.flatMap(withList);
  const groups = obligations.map((found) => found.filter(keeps)).filter((group) => group.length > 0);
  if (groups.length < 2) return all;
  const others = all.filter((one) => !keeps(one));
  return [...others, ...combined(groups, place)];
}

/** What an obligation asks for; if all that it says of records that stay is in dry run, that would be one more condition for them. */
function withList(found: readonly Found[], list: number): readonly Found[] {
  return found.some(keeps)
    ? found
    : found.map((one) => (allows(one) ? { filter: { ...one.filter, list } } : one));
}

function allows(one: Found): one is Keeping {
  return 'filter' in one && one.filter.effect === 'allow';
}

/** Whether it says that records stay; in dry run, it decides nothing. */
export function keeps(one: Found): one is Keeping {
  return allows(one) && dryRunPolicies(one.filter) === undefined;
}

function combined(groups: readonly (readonly Keeping[])[], place: JsonPointer): readonly Keeping[] {
  const count = groups.reduce((product, { length }) => product * length, 1);
  if (count > MOST || count * groups.length > MOST_RULES)
    throw notUnderstood(`more than ${MOST} combinations of filters, or ${MOST_RULES} filters in them`, place);
  // Each rule of a group is in as many combinations as the others.
  const values = _.sumBy(
    groups,
    (group) => count * _.meanBy(group, ({ filter }) => valuesIn(filter.condition)),
  );
  if (values > MOST_VALUES)
    throw notUnderstood(`more than ${MOST_VALUES} values in combinations of filters`, place);
  let assets = 0;
  return Array.from({ length: count }, (_one, nth) => {
    const filters = combination(groups, nth, count);
    assets += assetsIn(filters);
    if (assets > MOST_ASSETS)
      throw notUnderstood(`more than ${MOST_ASSETS} assets in combinations of filters`, place);
    return { filter: ofAll(filters) };
  });
}

/**
 * How many assets are compared at most to find those of all rules, and at least how many these are: each list is compared with the
 * shortest before it.
 */
function assetsIn(filters: readonly FilterRule[]): number {
  const [first, ...others] = filters.flatMap(({ assetIds }) =>
    assetIds === undefined ? [] : [assetIds.size],
  );
  let shortest = first ?? 0;
  if (others.length === 0) return shortest;
  let compared = 0;
  for (const size of others) {
    shortest = Math.min(shortest, size);
    compared += shortest;
  }
  return compared;
}

/** How many values a condition compares with; a list of conditions counts as one. */
function valuesIn(condition: Condition): number {
  return condition.kind === 'leaf' ? condition.values.length : 1 + _.sumBy(condition.of, valuesIn);
}

/** One rule of each group; the last group varies first. */
function combination(
  groups: readonly (readonly Keeping[])[],
  nth: number,
  count: number,
): readonly FilterRule[] {
  let width = count;
  return groups.flatMap((group) => {
    width /= group.length;
    const one = group[Math.floor(nth / width) % group.length];
    return one === undefined ? [] : [one.filter];
  });
}

/** A rule that holds where all hold. It is one list of conditions: nested ones could be deeper than the stack. */
function ofAll(filters: readonly FilterRule[]): FilterRule {
  const [first, ...others] = filters;
  if (first === undefined) throw new RangeError('A combination has a rule of each obligation');
  return {
    ...first,
    policies: filters.flatMap(({ policies }) => policies),
    condition: allOf(filters.map(({ condition }) => condition)),
    assetIds: others.reduce((ids, { assetIds }) => ofBoth(ids, assetIds), first.assetIds),
  };
}

/** Undefined is all assets. The shorter list is looked up in the longer one. */
function ofBoth(some: FilterRule['assetIds'], others: FilterRule['assetIds']): FilterRule['assetIds'] {
  if (some === undefined || others === undefined) return some ?? others;
  const [shorter, longer] = some.size <= others.size ? [some, others] : [others, some];
  return new Set(Array.from(shorter).filter((id) => longer.has(id)));
}
