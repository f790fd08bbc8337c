import _ from 'lodash';
import type { Condition, Leaf } from '../conditions/condition.ts';
import { pathKey, type Path } from '../paths/path.ts';
import { ALWAYS_APPLIES, ValueSets, type FoundValues, type ValueUse } from './found-values.ts';
import type { Frame } from './frame.ts';
import type { Match, Matching } from './match.ts';
import { matchingOf, type Occupant } from './naming.ts';
import { PathMatching } from './path-match.ts';
import { isSearch, SearchSpeller } from './search-speller.ts';
import { TextMatching } from './text-match.ts';

/** A rule with one leaf on names, or with one on the prefix and one on the name. */
export interface JointRule extends ValueUse {
  /** The one of which rules have values of their own. */
  readonly leaf: Leaf;
}

/** A leaf on names of which rules have values of their own, and the one on names behind prefixes that they have in common. */
export interface JointLeaves {
  readonly leaf: Leaf;
  readonly behind: Leaf | undefined;
}

/** Rules that each have one leaf of a kind, with values of their own: what fits a path is found for all of them at once. */
export class JointRules {
  readonly frame: Frame;
  readonly subject: Leaf['subject'];
  readonly matching: Matching;
  /** Where names begin behind prefixes, if they matter. */
  readonly behind: Match | undefined;
  readonly sets: ValueSets;
  /** Whether what fits a path fits whatever follows as well. */
  readonly isLasting: boolean;
  private readonly isNegated: boolean;
  /** Whether the names behind prefixes are paths. */
  private readonly arePaths: boolean;
  private readonly rules: readonly JointRule[];
  /** The rules with each value, by their places. */
  private readonly rulesOf: readonly (readonly number[])[];

  /** @param rules in order; their leaves are alike in {@link jointKey} */
  constructor({ leaf, behind }: JointLeaves, rules: readonly JointRule[], frame: Frame) {
    const { relation, negated } = leaf.comparison.operator;
    const uses = Map.groupBy(usesIn(rules), ({ key }) => key);
    const paths = Array.from(uses.values(), ([use]) => use?.path ?? []);
    this.frame = frame;
    this.subject = leaf.subject;
    this.matching = isSearch(relation)
      ? new TextMatching(new SearchSpeller(relation, [...uses.keys()], frame.isJsonNamed))
      : new PathMatching(paths, frame.isJsonNamed);
    this.behind = behind && matchingOf(behind, frame).start('prefix');
    this.arePaths = (behind?.paths.length ?? 0) > 0;
    this.isLasting = relation === 'contains' || relation === 'startsWith';
    this.isNegated = negated;
    this.rules = rules;
    this.rulesOf = Array.from(uses.values(), (some) => some.map(({ rule }) => rule));
    // A negated leaf holds where nothing is found, so all that is found counts.
    this.sets = new ValueSets(
      this.rulesOf.map((places) => (negated ? [] : places.map((place) => rules[place]!))),
    );
  }

  /** Whether the leaves may hold for what is at a place. */
  isAskedOf(occupant: Occupant): boolean {
    if (this.arePaths) return true;
    const isOfLeaves = this.isNegated || (this.subject === 'prefix' && this.behind === undefined);
    if (isOfLeaves) return occupant === 'scalar';
    return occupant !== 'record' && occupant !== 'absent';
  }

  /** The rules whose leaves hold if these values fit, by their places. */
  rulesFor({ values }: FoundValues): readonly number[] {
    const found = new Set(values.flatMap((value) => this.rulesOf[value] ?? []));
    return this.isNegated ? this.rulesBeside(found) : [...found];
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
  const { subject, comparison, paths, values } = naming;
  const { relation, negated } = comparison.operator;
  if (relation === 'equals') return paths.length > 0 && (negated || subject === 'prefix');
  return isSearch(relation) && comparison.type === 'STRING' && !values.includes('');
}

function isName(naming: Condition): naming is Leaf {
  return naming.kind === 'leaf' && naming.subject === 'property' && !naming.comparison.operator.negated;
}

/** The same for leaves of which the rules are joint. */
export function jointKey({ leaf: { subject, comparison }, behind }: JointLeaves): string {
  const { relation, negated } = comparison.operator;
  return `${subject} ${negated ? 'not ' : ''}${relation} ${behind?.key ?? ''}`;
}

/** A value of a rule. */
interface Use {
  readonly key: string;
  readonly path: Path | undefined;
  readonly rule: number;
}

function usesIn(rules: readonly JointRule[]): readonly Use[] {
  return rules.flatMap(({ leaf: { paths, values, comparison } }, rule): readonly Use[] =>
    comparison.operator.relation === 'equals'
      ? _.uniqBy(paths, pathKey).map((path) => ({ key: pathKey(path), path, rule }))
      : _.uniq(values).map((key) => ({ key, path: undefined, rule })),
  );
}
