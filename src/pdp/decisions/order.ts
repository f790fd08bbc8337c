import _ from 'lodash';
import type { FilterRule, PropertyRule } from '../../core/index.ts';

/** What an action of the decision turns out to be. */
export type Found = { readonly rule: PropertyRule } | { readonly filter: FilterRule } | typeof IDLE_FILTER;

/** A filter that does nothing, because filtering is off. */
export const IDLE_FILTER = { idle: 'filter' } as const;

/**
 * Rules in the order in which they are tried (docs/enforcement.md#one-action-a-property): denied ones, those with a
 * priority from the lowest, then the others, each in the order of the decision.
 */
export function inOrderOfTrial(rules: readonly PropertyRule[]): readonly PropertyRule[] {
  if (rules.every(({ source }) => source.effect !== 'denied' && source.priority === undefined)) return rules;
  return _.sortBy(rules, [
    ({ source }) => source.effect !== 'denied',
    ({ source }) => source.priority === undefined,
    ({ source }) => source.priority,
  ]);
}
