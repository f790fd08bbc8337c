import type { Action } from './actions/action.ts';
import type { Condition } from './conditions/condition.ts';
import type { AttributePath } from './paths/parse.ts';
import type { Path } from './paths/path.ts';

/** The policy that a rule comes from. */
export interface Policy {
  readonly name: string;
  /** In dry run: the property whose value identifies a record in the log (docs/enforcement.md#dry-run). */
  readonly dryRun: DryRun | undefined;
}

export interface DryRun {
  /** As the policy names it. */
  readonly property: string;
  readonly path: AttributePath;
}

/** How the decision writes a rule. Explanations show it. */
export interface RuleSource {
  /** Names and indexes from the top of the PDP's answer. */
  readonly place: readonly (string | number)[];
  /** The action without its priority. */
  readonly action: string;
  /** Lower ones are tried first; undefined if the decision gives none. */
  readonly priority: bigint | undefined;
  readonly effect: 'allowed' | 'denied';
}

interface RuleOrigin {
  readonly source: RuleSource;
  readonly policies: readonly Policy[];
  /** The assets that the rule is about, by identifier; undefined for all records (docs/enforcement.md#context). */
  readonly assetIds: ReadonlySet<string> | undefined;
}

/** What a decision asks of properties (docs/enforcement.md#conditions). */
export interface PropertyRule extends RuleOrigin {
  /** The properties, listed; or the condition that selects them. */
  readonly about: { readonly properties: readonly Path[] } | { readonly condition: Condition };
  readonly action: Action;
}

/** What a decision asks of whole records (docs/enforcement.md#filter). */
export interface FilterRule extends RuleOrigin {
  /** Whether records for which it holds may stay, or must go. */
  readonly effect: 'allow' | 'deny';
  readonly condition: Condition;
  /** The rules of the decision that this one combines; undefined if it is one of them itself. */
  readonly merged?: readonly FilterRule[];
  /**
   * In dry run: which of several lists of rules this one is in, each of which would have to allow a record; undefined if it would be one
   * of those that are enforced.
   */
  readonly list?: number;
}

/** All that a decision asks. */
export interface Rules {
  /** In the order in which they are tried: the first whose condition holds is applied to a property, alone. */
  readonly properties: readonly PropertyRule[];
  readonly filters: readonly FilterRule[];
  /** What happens to the records if no rule allows any: undefined if filtering is off. */
  readonly filterDefault: 'allow' | 'deny' | undefined;
  /** Whether the decision has filters that do nothing, because filtering is off. */
  readonly hasIdleFilters?: boolean;
  /** Whether short values get the default mask (masks.md); undefined if the decision leaves that to the configuration. */
  readonly maskShort?: boolean | undefined;
  /** Whether all of them may be the very same rules as those of a decision before. */
  readonly areKnown?: boolean;
}

/** The conditions of rules, as the decision has them. */
export function* conditionsOf({ properties, filters }: Rules): Generator<Condition> {
  for (const { about } of properties) if ('condition' in about) yield about.condition;
  for (const { condition } of filters) yield condition;
}

/**
 * The policies of a rule that is in dry run: all that it comes from are.
 *
 * @returns undefined if the rule is to be enforced
 */
export function dryRunPolicies(rule: RuleOrigin): readonly (Policy & { dryRun: DryRun })[] | undefined {
  const inDryRun: (Policy & { dryRun: DryRun })[] = [];
  for (const { name, dryRun } of rule.policies) {
    if (dryRun === undefined) return undefined;
    inDryRun.push({ name, dryRun });
  }
  return inDryRun.length > 0 ? inDryRun : undefined;
}
