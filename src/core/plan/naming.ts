import _ from 'lodash';
import { allOf, ALWAYS, anyOf, NEVER, type Condition, type Leaf } from '../conditions/condition.ts';
import { parseDecimal } from '../conditions/decimal.ts';
import { parseInstant } from '../conditions/instant.ts';
import type { Relation } from '../conditions/relation.ts';
import type { ComparedTexts } from '../paths/name-classes.ts';
import type { Segment } from '../paths/path.ts';
import type { TypedBounds } from '../paths/typed-names.ts';
import type { Frame } from './frame.ts';
import type { Matching } from './match.ts';
import { mergedNames } from './merged-names.ts';
import { PathMatching } from './path-match.ts';
import { TextMatching } from './text-match.ts';
import { TextSpeller } from './text-speller.ts';

/** What is at a place: a leaf, which also trees match that name no property; an object; a record; an array or null; nothing. */
export type Occupant = 'scalar' | 'object' | 'record' | 'other' | 'absent';

/** Under which conditions of the record a tree holds, by what the ways in which it holds make use of. */
interface Ways {
  readonly any: Condition;
  /** Those with a leaf on the prefix. */
  readonly prefix: Condition;
  /** Those with a positive leaf on the name. */
  readonly name: Condition;
  readonly both: Condition;
}

/** What leaves make of a property's path, read as a prefix and a name. */
export interface Split {
  /** Whether each leaf on the name names it. */
  readonly names: readonly boolean[];
  /** Whether each leaf on the name names it for its negation: also with a shorter prefix that a leaf on the prefix covers. */
  readonly excluded: readonly boolean[];
  /** Whether each leaf on the prefix covers it; undefined if the whole path is the name. */
  readonly prefixes: readonly boolean[] | undefined;
}

/** Every way to read a property's path. */
export interface Splits {
  readonly whole: Split;
  readonly parts: readonly Split[];
  /** Whether each leaf on the prefix fits any prefix. */
  readonly anyPrefix: readonly boolean[];
}

/** A split at a property. */
interface Place {
  /** Whether a path has to name it: it is a record as a whole, or absent. */
  readonly needsPath: boolean;
  readonly splits: Splits;
}

/**
 * What a condition tree says of property names, decided apart from what it says of records
 * (docs/enforcement.md#conditions-on-names).
 */
export class Naming {
  readonly frame: Frame;
  /** What compares the leaves on the name, and those on the prefix. */
  readonly names: readonly Matching[];
  readonly prefixes: readonly Matching[];
  private readonly condition: Condition;
  private readonly nameAt: ReadonlyMap<Leaf, number>;
  private readonly prefixAt: ReadonlyMap<Leaf, number>;
  /** The parts of the condition that say something of names. */
  private readonly named: ReadonlySet<Condition>;

  constructor(tree: Condition, frame: Frame) {
    const condition = mergedNames(tree);
    this.condition = condition;
    this.frame = frame;
    const names = _.uniq(leavesOn(condition, 'property'));
    const prefixes = _.uniq(leavesOn(condition, 'prefix'));
    this.names = names.map((leaf) => matchingOf(leaf, frame));
    this.prefixes = prefixes.map((leaf) => matchingOf(leaf, frame));
    this.nameAt = new Map(names.map((leaf, index) => [leaf, index]));
    this.prefixAt = new Map(prefixes.map((leaf, index) => [leaf, index]));
    this.named = new Set(partsOnNames(condition));
  }

  /** What is left of the tree for a property. */
  decide(splits: Splits, occupant: Occupant): Condition {
    if (occupant !== 'scalar' && this.names.length === 0) return NEVER;
    const place = {
      needsPath: occupant === 'absent' || occupant === 'record',
      splits,
    };
    const whole = this.waysAt(this.condition, place, splits.whole);
    const alternatives = [occupant === 'scalar' ? whole.any : whole.name];
    for (const split of splits.parts) {
      const ways = this.waysAt(this.condition, place, split);
      alternatives.push(occupant === 'scalar' ? ways.prefix : ways.both);
    }
    return anyOf(_.uniq(alternatives));
  }

  private waysAt(condition: Condition, place: Place, split: Split): Ways {
    if (!this.named.has(condition)) return { ...IMPOSSIBLE, any: condition };
    if (condition.kind === 'leaf') return this.waysOfLeaf(condition, place, split);
    const [named, others] = _.partition(condition.of, (part) => this.named.has(part));
    const ways = named.map((part) => this.waysAt(part, place, split));
    return condition.kind === 'any' ? either(ways, others) : all(ways, others);
  }

  private waysOfLeaf(leaf: Leaf, { needsPath, splits }: Place, { names, excluded, prefixes }: Split): Ways {
    const { negated } = leaf.comparison.operator;
    if (leaf.subject === 'property') {
      const at = this.nameAt.get(leaf) ?? -1;
      const fits = (negated ? excluded : names)[at] === true;
      if (fits === negated) return IMPOSSIBLE;
      const isNamed = !negated && (!needsPath || leaf.paths.length > 0);
      return { ...IMPOSSIBLE, any: ALWAYS, name: isNamed ? ALWAYS : NEVER };
    }
    if (prefixes === undefined) return IMPOSSIBLE;
    // A negated leaf is the negation of the positive one, which holds if it holds for any prefix.
    const index = this.prefixAt.get(leaf) ?? -1;
    const holds = negated ? splits.anyPrefix[index] !== true : prefixes[index] === true;
    return holds ? { ...IMPOSSIBLE, any: ALWAYS, prefix: ALWAYS } : IMPOSSIBLE;
  }
}

export function matchingOf(leaf: Leaf, { isJsonNamed }: Frame): Matching {
  const isPath = leaf.comparison.operator.relation === 'equals';
  return isPath
    ? new PathMatching(leaf.paths, isJsonNamed)
    : new TextMatching(new TextSpeller(leaf, isJsonNamed));
}

const IMPOSSIBLE: Ways = { any: NEVER, prefix: NEVER, name: NEVER, both: NEVER };

/** Of parts of which any has to hold. @param others those that say nothing of names */
function either(ways: readonly Ways[], others: readonly Condition[]): Ways {
  return {
    any: anyOf(others.concat(ways.map(({ any }) => any))),
    prefix: anyOf(ways.map(({ prefix }) => prefix)),
    name: anyOf(ways.map(({ name }) => name)),
    both: anyOf(ways.map(({ both }) => both)),
  };
}

/** Of parts that all have to hold. They are merged in pairs: merged one by one, they would nest as deep as their number. */
function all(ways: readonly Ways[], others: readonly Condition[]): Ways {
  let merged: readonly Ways[] = [{ ...IMPOSSIBLE, any: allOf(others) }, ...ways];
  while (merged.length > 1)
    merged = _.chunk(merged, 2).map(([a = IMPOSSIBLE, b]) => (b === undefined ? a : together(a, b)));
  return { ...(merged[0] ?? IMPOSSIBLE), any: allOf(others.concat(ways.map(({ any }) => any))) };
}

function together(a: Ways, b: Ways): Ways {
  return {
    any: allOf([a.any, b.any]),
    prefix: anyOf([allOf([a.prefix, b.any]), allOf([a.any, b.prefix])]),
    name: anyOf([allOf([a.name, b.any]), allOf([a.any, b.name])]),
    both: anyOf([
      allOf([a.both, b.any]),
      allOf([a.any, b.both]),
      allOf([a.prefix, b.name]),
      allOf([a.name, b.prefix]),
    ]),
  };
}

function partsOnNames(condition: Condition): readonly Condition[] {
  if (condition.kind === 'leaf') return condition.subject === 'record' ? [] : [condition];
  const parts = condition.of.flatMap((part) => [...partsOnNames(part)]);
  return parts.length === 0 ? [] : [condition, ...parts];
}

export function leavesOn(condition: Condition, subject: Leaf['subject']): readonly Leaf[] {
  if (condition.kind === 'leaf') return condition.subject === subject ? [condition] : [];
  return condition.of.flatMap((part) => leavesOn(part, subject));
}

/** The texts that paths are compared with. */
export function textsIn(leaves: readonly Leaf[]): ComparedTexts {
  const texts = leaves.filter(({ comparison }) => comparison.operator.relation !== 'equals');
  const ofRelation = (...relations: readonly Relation[]) =>
    texts.filter(({ comparison }) => relations.includes(comparison.operator.relation));
  const [inOrder, typed] = _.partition(
    ofRelation('less', 'lessOrEqual', 'greater', 'greaterOrEqual'),
    ({ comparison }) => comparison.type === 'STRING',
  );
  return {
    starts: ofRelation('startsWith').flatMap(({ values }) => values),
    anywhere: ofRelation('contains').flatMap(({ values }) => values),
    ends: ofRelation('endsWith').flatMap(({ values }) => values),
    ordered: inOrder.flatMap(({ values }) => values),
    typed: typed.length > 0 ? boundsIn(typed.flatMap(({ values }) => values)) : undefined,
  };
}

function boundsIn(values: readonly string[]): TypedBounds {
  return {
    numbers: values.flatMap((value) => parseDecimal(value) ?? []),
    instants: values.flatMap((value) => parseInstant(value) ?? []),
  };
}

/** Which elements the names in conditions distinguish. */
export function elementsNamedIn(leaves: readonly Leaf[]): {
  readonly segments: readonly Segment[];
  /** Whether an index may matter in the text of a path. */
  readonly inTexts: boolean;
} {
  return {
    segments: leaves.flatMap(({ paths }) => paths.flat().filter(isIndexed)),
    inTexts: leaves.some(
      (leaf) => leaf.paths.length === 0 && leaf.values.some((value) => tellsIndexes(leaf, value)),
    ),
  };
}

export function isIndexed({ kind }: Segment): boolean {
  return kind === 'index' || kind === 'slice' || kind === 'union';
}

const ORDERS: ReadonlySet<Relation> = new Set(['less', 'lessOrEqual', 'greater', 'greaterOrEqual']);

/** Whether a comparison with a path, or with a part of one, may depend on how an index in it is written. */
function tellsIndexes({ comparison: { operator, type } }: Leaf, value: string): boolean {
  if (!ORDERS.has(operator.relation)) return value.split('.').some((segment) => /^\d+$/u.test(segment));
  // At the place of an index, a text that is in order before `#` or after all digits has the same order with all ways to write it.
  return type !== 'STRING' || /(?:^|\.)[#-9]/u.test(value);
}
