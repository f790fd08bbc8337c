import _ from 'lodash';
import type { FilterRule, PropertyRule } from '../../../core/index.ts';

/** A rule with what decides when it is tried. */
export interface OrderedRule extends PropertyRule {
  readonly isDenied: boolean;
  readonly priority: bigint | undefined;
}

/** What an action of the decision turns out to be. */
export type Found = { readonly rule: OrderedRule } | { readonly filter: FilterRule };

/**
 * Rules in the order in which they are tried (enforcement §6, "One action a property"): denied ones, those with a priority
 * from the lowest, then the others, each as they came.
 */
export function inOrderOfTrial(rules: readonly OrderedRule[]): readonly PropertyRule[] {
  return _.sortBy(rules, [
    (rule) => !rule.isDenied,
    (rule) => rule.priority === undefined,
    (rule) => rule.priority,
  ]);
}
