import type { Place } from './place.ts';
import type { Policy } from './policies.ts';
import type { FilterRule } from './rule.ts';

/** Decides which records stay (docs/enforcement.md#filter), and which ones dry runs would have removed besides. */
export interface Filter {
  readonly stays: (record: Place) => boolean;
  /** The policies in dry run that would have removed a record which stays. */
  readonly wouldRemove: (record: Place) => readonly Policy[];
}

/** `keepsByDefault` decides if no rule allows anything. */
export function filterOf(rules: readonly FilterRule[], keepsByDefault: boolean): Filter {
  const denied = rules.filter((rule) => rule.denied);
  const allowed = rules.filter((rule) => !rule.denied);
  const effective = allowed.filter((rule) => !rule.dryRun);
  const isAllowed = (record: Place): boolean => {
    if (allowed.length === 0) return keepsByDefault;
    return effective.length === 0 || effective.some((rule) => rule.holds(record));
  };
  return {
    stays: (record) => isAllowed(record) && !denied.some((rule) => !rule.dryRun && rule.holds(record)),
    wouldRemove: (record) => {
      const deniedInDryRun = denied.filter((rule) => rule.dryRun && rule.holds(record));
      const isHeld = allowed.some((rule) => rule.holds(record));
      const allowedInDryRun = isHeld ? [] : allowed.filter((rule) => rule.dryRun);
      return [...allowedInDryRun, ...deniedInDryRun].flatMap(({ policies }) => policies);
    },
  };
}
