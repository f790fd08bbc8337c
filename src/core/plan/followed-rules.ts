import _ from 'lodash';
import { allOf, ALWAYS, isAlways, type Condition } from '../conditions/condition.ts';
import { dryRunPolicies } from '../rule.ts';
import { mentionsNames } from './alternatives.ts';
import { ConditionKeys } from './condition-keys.ts';
import { ALWAYS_APPLIES } from './found-values.ts';
import type { Frame } from './frame.ts';
import { Naming } from './naming.ts';
import type { RuleTrails } from './rule-trail.ts';
import { JointRules, jointKey, jointLeavesOf, type JointLeaves, type JointRule } from './joint-rules.ts';
import { JointTrails } from './joint-trail.ts';
import type { Target } from './targets.ts';
import { Trails } from './trail.ts';

/** A rule whose condition is decided anew for each property, taken apart. */
interface OpenRule {
  readonly target: Target;
  /** What its condition says of names, and what it asks besides that. */
  readonly naming: Condition;
  readonly rest: Condition;
  /** What it says of names if joint rules may say it. */
  readonly leaves: JointLeaves | undefined;
}

/** How rules are followed. */
export interface Following {
  readonly frame: Frame;
  /** Whether it matters of each rule if its condition holds, and not only of the first one. */
  readonly isExplained: boolean;
  /** Whether any rule creates values: of an absent property, only those rules are asked that name it. */
  readonly creates: boolean;
}

/** Rules that are followed together. */
export interface FollowedRules {
  readonly trails: RuleTrails;
  /** In the order of their places. */
  readonly rules: readonly Pick<OpenRule, 'target' | 'rest'>[];
}

/** Rules that say the same of names are followed as one. So are those that differ in the values of one leaf on names. */
export function followedTogether(targets: readonly Target[], following: Following): readonly FollowedRules[] {
  const keys = new ConditionKeys();
  const groups = Map.groupBy(targets.map(takenApart), (rule) => groupOf(rule, keys));
  return Array.from(groups.values(), (rules) => ({ trails: trailsOf(rules, following, keys), rules }));
}

function takenApart(target: Target): OpenRule {
  const { condition } = target;
  if (condition.kind !== 'all')
    return { target, naming: condition, rest: ALWAYS, leaves: jointLeavesOf(condition) };
  const [named, others] = _.partition(condition.of, mentionsNames);
  const naming = allOf(named);
  return { target, naming, rest: allOf(others), leaves: jointLeavesOf(naming) };
}

function groupOf({ naming, leaves }: OpenRule, keys: ConditionKeys): string {
  return leaves ? jointKey(leaves) : keys.of(naming);
}

function trailsOf(rules: readonly OpenRule[], following: Following, keys: ConditionKeys): RuleTrails {
  const { frame } = following;
  const { naming, leaves } = rules[0]!;
  if (leaves === undefined) return new Trails(new Naming(naming, frame));
  const [first, ...others] = rules.flatMap((rule) => jointRule(rule, following, keys));
  if (first === undefined) throw new Error('no joint rule');
  return new JointTrails(new JointRules([first, ...others], frame));
}

function jointRule(
  { target: { rule, rank }, rest, leaves }: OpenRule,
  { isExplained, creates }: Following,
  keys: ConditionKeys,
): readonly JointRule[] {
  if (leaves === undefined) return [];
  const { leaf, behind } = leaves;
  const mayCreate = creates && behind !== undefined;
  const mayPass =
    isExplained || mayCreate || rule.assetIds !== undefined || dryRunPolicies(rule) !== undefined;
  return [{ rank, leaf, behind, group: mayPass ? undefined : groupKey(rest, keys) }];
}

function groupKey(rest: Condition, keys: ConditionKeys): string {
  return isAlways(rest) ? ALWAYS_APPLIES : keys.of(rest);
}
