import type { Place } from './place.ts';
import type { Policy } from './policies.ts';
import type { FilterRule } from './rule.ts';

/** Decides which records stay (enforcement §6), and what dry runs would have removed besides (§9). */
export interface Filter {
  /** Whether what is no record goes. */
  readonly removesStrays: boolean;
  readonly stays: (record: Place) => boolean;
  /** The policies in dry run that would have removed a record which stays. */
  readonly wouldRemove: (record: Place) => readonly Policy[];
}

export function filterOf(rules: readonly FilterRule[], keepsByDefault: boolean): Filter {
  const effective = rules.filter(({ dryRun }) => !dryRun);
  const hasAllowed = effective.some(({ denied }) => !denied);
  return {
    removesStrays: effective.length > 0 || !keepsByDefault,
    stays: (record) => {
      if (effective.some((rule) => rule.denied && rule.holds(record))) return false;
      return hasAllowed ? effective.some((rule) => !rule.denied && rule.holds(record)) : keepsByDefault;
    },
    wouldRemove: (record) => dryRunsAgainst(rules, record).flatMap(({ policies }) => policies),
  };
}

function dryRunsAgainst(rules: readonly FilterRule[], record: Place): FilterRule[] {
  const isAllowed = rules.some((rule) => !rule.denied && rule.holds(record));
  return rules.filter((rule) => rule.dryRun && (rule.denied ? rule.holds(record) : !isAllowed));
}
