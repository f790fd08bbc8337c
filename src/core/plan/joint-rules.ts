import type { Condition, Leaf } from '../conditions/condition.ts';
import { ALWAYS_APPLIES, type FoundValues, type ValueUse } from './found-values.ts';
import type { Frame } from './frame.ts';
import { hasOwnValues, JointValues } from './joint-values.ts';
import type { Match } from './match.ts';
import type { Occupant } from './naming.ts';

/** A leaf on names, or one on the prefix and another on the name behind it. Rules have values of their own for each. */
export interface JointLeaves {
  readonly leaf: Leaf;
  readonly behind: Leaf | undefined;
}

/** A rule with such leaves. */
export interface JointRule extends JointLeaves {
  /** The place of the rule in the order in which rules are tried. */
  readonly rank: number;
  /** The same for rules that apply under the same conditions besides these leaves; undefined if the rule may leave that to others. */
  readonly group: string | undefined;
}

/** The names behind prefixes. */
interface NamesBehind {
  readonly values: JointValues;
  /** Where they begin. */
  readonly start: Match;
  /** Whether they are paths. */
  readonly arePaths: boolean;
}

/** Rules that each have leaves of one kind, with values of their own: what fits a path is found for all of them at once. */
export class JointRules {
  readonly frame: Frame;
  readonly subject: Leaf['subject'];
  readonly values: JointValues;
  /** Undefined if names behind prefixes do not matter. */
  readonly behind: NamesBehind | undefined;
  private readonly isNegated: boolean;
  private readonly rules: readonly JointRule[];

  /** @param rules in order; their leaves are alike in {@link jointKey} */
  constructor(rules: readonly [JointRule, ...(readonly JointRule[])], frame: Frame) {
    const [{ leaf, behind }, ...others] = rules;
    const { negated } = leaf.comparison.operator;
    this.frame = frame;
    this.subject = leaf.subject;
    this.rules = rules;
    this.isNegated = negated;
    // A negated leaf holds where nothing is found, so all that is found counts.
    const uses = negated ? [] : rules.map((rule) => useOf(rule, rule.behind));
    this.values = new JointValues([leaf, ...others.map((rule) => rule.leaf)], uses, frame);
    if (behind) this.behind = namesBehind(behind, rules, frame);
  }

  /** Whether the leaves may hold for what is at a place. */
  isAskedOf(occupant: Occupant): boolean {
    if (this.behind?.arePaths === true) return true;
    const isOfLeaves = this.isNegated || (this.subject === 'prefix' && this.behind === undefined);
    if (isOfLeaves) return occupant === 'scalar';
    return occupant !== 'record' && occupant !== 'absent';
  }

  /** The rules whose leaves hold if these values fit, by their places. */
  rulesFor(found: FoundValues): readonly number[] {
    const rules = new Set(this.values.rulesWith(found));
    return this.isNegated ? this.rulesBeside(rules) : [...rules];
  }

  /** The rules of which some values fit a prefix, and others what is behind it: the fewer are looked up among the others. */
  rulesForBoth(prefixes: FoundValues, names: FoundValues): readonly number[] {
    const { values, behind } = this;
    if (behind === undefined) return [];
    return values.countWith(prefixes) < behind.values.countWith(names)
      ? behind.values.rulesAmong(values.rulesWith(prefixes), names)
      : values.rulesAmong(behind.values.rulesWith(names), prefixes);
  }

  /** Nothing comes after a rule that is applied wherever its leaf holds. */
  private rulesBeside(found: ReadonlySet<number>): readonly number[] {
    const others: number[] = [];
    for (let place = 0; place < this.rules.length; place++) {
      if (found.has(place)) continue;
      others.push(place);
      if (this.rules[place]!.group === ALWAYS_APPLIES) break;
    }
    return others;
  }
}

function namesBehind(first: Leaf, rules: readonly JointRule[], frame: Frame): NamesBehind {
  const others = rules.slice(1).flatMap(({ behind }) => behind ?? []);
  const uses = rules.map((rule) => useOf(rule, rule.leaf));
  const values = new JointValues([first, ...others], uses, frame);
  return { values, start: values.matching.start('prefix'), arePaths: first.paths.length > 0 };
}

/** How a rule uses the values of one of its leaves: what its other leaf is not about it leaves to other rules. */
function useOf({ rank, group }: JointRule, other: Leaf | undefined): ValueUse {
  return { rank, group: other === undefined || group === undefined ? group : `${other.key} ${group}` };
}

/** The leaves that a condition consists of, if joint rules may have them. */
export function jointLeavesOf(naming: Condition): JointLeaves | undefined {
  const [first, second, ...others] = naming.kind === 'all' ? naming.of : [naming];
  if (first === undefined || others.length > 0) return undefined;
  if (second === undefined) return isJoint(first) ? { leaf: first, behind: undefined } : undefined;
  const [leaf, behind] = isName(first) ? [second, first] : [first, second];
  if (!isJoint(leaf) || !isName(behind)) return undefined;
  const isOfBoth = leaf.subject === 'prefix' && !leaf.comparison.operator.negated;
  return isOfBoth ? { leaf, behind } : undefined;
}

function isJoint(naming: Condition): naming is Leaf {
  if (naming.kind !== 'leaf' || naming.subject === 'record') return false;
  const { subject, comparison } = naming;
  const { relation, negated } = comparison.operator;
  return hasOwnValues(naming) && (relation !== 'equals' || negated || subject === 'prefix');
}

function isName(naming: Condition): naming is Leaf {
  return naming.kind === 'leaf' && naming.subject === 'property' && !naming.comparison.operator.negated;
}

/** The same for leaves of which the rules are joint. */
export function jointKey({ leaf: { subject, comparison }, behind }: JointLeaves): string {
  const { relation, negated } = comparison.operator;
  return `${subject} ${negated ? 'not ' : ''}${relation} ${behind ? keyBehind(behind) : ''}`;
}

/** Names behind prefixes that are compared in another way, such as in order, have to be the same. */
function keyBehind(behind: Leaf): string {
  return hasOwnValues(behind) ? behind.comparison.operator.relation : behind.key;
}
