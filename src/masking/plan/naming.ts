import _ from 'lodash';
import {
  anyOf,
  isNever,
  NEVER,
  simplify,
  type Condition,
  type Leaf,
  type Subject,
} from '../condition/condition.ts';
import { ELEMENT, type Step } from '../path/automaton.ts';
import { matchesName, type Path } from '../path/path.ts';
import type { Scope } from './scope.ts';

/**
 * What a condition tree says of property names, decided apart from what it says of records: "Conditions" of
 * enforcement §6 for the leaves on the property and on its prefix.
 */
export class Naming {
  private readonly condition: Condition;
  private readonly namesProperty: boolean;
  private readonly namesPrefix: boolean;
  private readonly rootNames: readonly string[];

  constructor(condition: Condition, scope: Scope) {
    this.condition = simplify(condition, (leaf) => ({
      ...leaf,
      paths: leaf.paths.flatMap((path) => scope.inRecord(path)),
    }));
    this.namesProperty = leavesOn(condition, 'property').length > 0;
    this.namesPrefix = leavesOn(condition, 'prefix').length > 0;
    this.rootNames = scope.rootNames;
  }

  /**
   * The properties that the tree names in full, relative to the record, each with what is left of the tree for it. These
   * are known before any record is, and may be absent from one.
   */
  named(): readonly { readonly path: Path; readonly condition: Condition }[] {
    const columns = this.namedIn('property').filter((path) => this.isDecidable('property', path));
    const prefixes: Path[] = [
      [],
      ...this.namedIn('prefix').filter((path) => this.isDecidable('prefix', path)),
    ];
    return columns.flatMap((column) =>
      prefixes.flatMap((prefix) => {
        const condition = this.decideNamed(prefix, column);
        return isNever(condition) ? [] : [{ path: [...prefix, ...column], condition }];
      }),
    );
  }

  /** Whether {@link named} tells every property that the tree can hold for. */
  isComplete(): boolean {
    return (
      namesInFull(this.condition) &&
      leavesOn(this.condition, 'prefix').every((leaf) => namesInFull(leaf, 'prefix')) &&
      this.namedIn('property').every((path) => this.isDecidable('property', path)) &&
      this.namedIn('prefix').every((path) => this.isDecidable('prefix', path))
    );
  }

  /**
   * What is left of the tree for a property of a record.
   *
   * @param steps the names that lead from the record to the property
   * @param isLeaf whether the property's value is a scalar; only those are matched by what a tree leaves open
   */
  decide(steps: readonly Step[], isLeaf: boolean): Condition {
    if (!isLeaf && !this.namesProperty) return NEVER;
    const tree = isLeaf ? this.condition : onlyNamed(this.condition);
    const splits = this.namesPrefix ? splitsOf(steps) : [{ prefix: [], column: steps }];
    return anyOf(
      splits.map(({ prefix, column }) =>
        simplify(tree, (leaf) => this.decideLeaf(leaf, prefix, column, isLeaf)),
      ),
    );
  }

  private decideNamed(prefix: Path, column: Path): Condition {
    return simplify(this.condition, (leaf) => {
      if (leaf.subject === 'record') return leaf;
      const named = leaf.subject === 'property' ? column : prefix;
      const steps = stepsOf(named);
      if (steps === undefined) return leaf.paths.includes(named);
      return this.decideLeaf(leaf, steps, steps, true);
    });
  }

  /** Whether all leaves on a subject can be decided for a path that one of them names, before any record is known. */
  private isDecidable(subject: 'property' | 'prefix', path: Path): boolean {
    return stepsOf(path) !== undefined || leavesOn(this.condition, subject).length === 1;
  }

  private decideLeaf(
    leaf: Leaf,
    prefix: readonly Step[],
    column: readonly Step[],
    isLeaf: boolean,
  ): Condition | boolean {
    if (leaf.subject === 'record') return leaf;
    const steps = leaf.subject === 'property' ? column : prefix;
    const { negated } = leaf.test.operator;
    if (negated && !isLeaf && leaf.subject === 'property') return false;
    if (steps.length === 0 && leaf.subject === 'prefix') return negated;
    return this.fits(leaf, steps) !== negated;
  }

  private fits(leaf: Leaf, steps: readonly Step[]): boolean {
    if (leaf.test.operator.relation === 'equals')
      return leaf.paths.some((path) => leadsTo(path, namesIn(steps)));
    return this.spellings(steps).some((spelling) => leaf.test.fits(spelling));
  }

  /** The ways in which a policy may spell a property: with and without `#`, from the record or from the payload. */
  private spellings(steps: readonly Step[]): readonly string[] {
    const plain = namesIn(steps).join('.');
    const marked = steps.map((step) => (step === ELEMENT ? '#' : step)).join('.');
    const root = this.rootNames.join('.');
    const prefixes = root === '' ? [''] : ['', `${root}.`, `${root}.#.`];
    return _.uniq(prefixes.flatMap((prefix) => [prefix + plain, prefix + marked]));
  }

  private namedIn(subject: 'property' | 'prefix'): readonly Path[] {
    return leavesOn(this.condition, subject).flatMap((leaf) =>
      namesInFull(leaf, subject) ? leaf.paths : [],
    );
  }
}

function leavesOn(condition: Condition, subject: Subject): readonly Leaf[] {
  if (condition.kind === 'leaf') return condition.subject === subject ? [condition] : [];
  return condition.of.flatMap((part) => leavesOn(part, subject));
}

/** Whether a tree holds for no property but those that it names in full. */
function namesInFull(condition: Condition, subject: 'property' | 'prefix' = 'property'): boolean {
  if (condition.kind === 'all') return condition.of.some((part) => namesInFull(part, subject));
  if (condition.kind === 'any') return condition.of.every((part) => namesInFull(part, subject));
  const { relation, negated } = condition.test.operator;
  return condition.subject === subject && relation === 'equals' && !negated;
}

/** A tree without the alternatives that say nothing of the property: those are about scalars only. */
function onlyNamed(condition: Condition): Condition {
  if (condition.kind === 'leaf') return condition;
  const of = condition.of.map(onlyNamed);
  if (condition.kind === 'all') return { kind: 'all', of };
  return { kind: 'any', of: of.filter((part) => leavesOn(part, 'property').length > 0) };
}

/** Every way to see a property's path as a prefix and a name below it. */
function splitsOf(steps: readonly Step[]): { prefix: readonly Step[]; column: readonly Step[] }[] {
  return steps.flatMap((_step, at) => {
    const column = steps.slice(at);
    return namesIn(column).length > 0 ? [{ prefix: steps.slice(0, at), column }] : [];
  });
}

/** Whether a path matches a property by its names; a step into an array that only one of the two has is no difference. */
function leadsTo(path: Path, names: readonly string[]): boolean {
  const segments = path.filter(({ kind }) => kind !== 'each');
  return (
    segments.length === names.length &&
    names.every((name, i) => segments[i] && matchesName(segments[i], name))
  );
}

/** The steps that a path stands for, where it names each. */
function stepsOf(path: Path): readonly Step[] | undefined {
  const steps = path.map((segment) => {
    if (segment.kind === 'each') return ELEMENT;
    return segment.kind === 'name' || segment.kind === 'index' ? segment.name : undefined;
  });
  return steps.some((step) => step === undefined) ? undefined : steps.filter((step) => step !== undefined);
}

function namesIn(steps: readonly Step[]): string[] {
  return steps.filter((step) => step !== ELEMENT);
}
