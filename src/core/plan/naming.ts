import _ from 'lodash';
import {
  anyOf,
  isNever,
  NEVER,
  simplify,
  type Condition,
  type Leaf,
  type Subject,
} from '../conditions/condition.ts';
import { ELEMENT, type Step } from '../paths/automaton.ts';
import { dependsOnIndex, matchElement, matchesName, type Path, type Segment } from '../paths/path.ts';
import type { Scope } from './scope.ts';

/** A step towards a property; a number is the index of an element that a policy names. */
type NamedStep = Step | number;

/**
 * What a condition tree says of property names, decided apart from what it says of records: "Conditions" of
 * enforcement §6 for the leaves on the property and on its prefix.
 */
export class Naming {
  private readonly condition: Condition;
  private readonly namesProperty: boolean;
  private readonly namesPrefix: boolean;
  private readonly paths = new Map<Leaf, NamingPaths>();
  /** How a policy may spell the way to the record, where it begins its names at the payload. */
  private readonly rootSpellings: readonly string[];

  constructor(condition: Condition, scope: Scope) {
    this.condition = simplify(condition, (leaf) => ({
      ...leaf,
      paths: leaf.paths.flatMap((path) => scope.inRecord(path)),
    }));
    this.namesProperty = leavesOn(condition, 'property').length > 0;
    this.namesPrefix = leavesOn(condition, 'prefix').length > 0;
    const root = scope.rootNames.join('.');
    this.rootSpellings = root === '' ? [] : [`${root}.`, `${root}.#.`];
  }

  /** Whether the tree depends on what a property is called; if not, it is about every leaf. */
  get asksNames(): boolean {
    return this.namesProperty || this.namesPrefix;
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
      const comparesPaths = leaf.test.operator.relation === 'equals';
      if (!comparesPaths) return this.decideLeaf(leaf, stepsOf(prefix), stepsOf(column), true);
      return this.pathsOf(leaf).mean(named) !== leaf.test.operator.negated;
    });
  }

  private pathsOf(leaf: Leaf): NamingPaths {
    const known = this.paths.get(leaf);
    if (known) return known;
    const paths = new NamingPaths(leaf.paths);
    this.paths.set(leaf, paths);
    return paths;
  }

  /** Whether all leaves on a subject can be decided for a path that one of them names, before any record is known. */
  private isDecidable(subject: 'property' | 'prefix', path: Path): boolean {
    return namesEachStep(path) || leavesOn(this.condition, subject).length === 1;
  }

  private decideLeaf(
    leaf: Leaf,
    prefix: readonly NamedStep[],
    column: readonly NamedStep[],
    isLeaf: boolean,
  ): Condition | boolean {
    if (leaf.subject === 'record') return leaf;
    const steps = leaf.subject === 'property' ? column : prefix;
    const { negated } = leaf.test.operator;
    if (negated && !isLeaf && leaf.subject === 'property') return false;
    if (steps.length === 0 && leaf.subject === 'prefix') return negated;
    return this.fits(leaf, steps) !== negated;
  }

  private fits(leaf: Leaf, steps: readonly NamedStep[]): boolean {
    const { relation, negated } = leaf.test.operator;
    if (relation === 'equals') return leaf.paths.some((path) => leadsTo(path, steps, !negated));
    const prefixes = this.rootSpellings.filter((root) => leaf.values.some((value) => value.startsWith(root)));
    return spellings(steps).some((spelling) =>
      ['', ...prefixes].some((prefix) => leaf.test.fits(prefix + spelling)),
    );
  }

  private namedIn(subject: 'property' | 'prefix'): readonly Path[] {
    return leavesOn(this.condition, subject).flatMap((leaf) =>
      namesInFull(leaf, subject) ? leaf.paths : [],
    );
  }
}

/** The paths of a leaf, which may be thousands: those that write out every name are found by their text. */
class NamingPaths {
  private readonly written: ReadonlySet<string>;
  /** Those that may match others than themselves. */
  private readonly patterns: readonly Path[];

  constructor(paths: readonly Path[]) {
    this.written = new Set(paths.map(keyOf));
    this.patterns = paths.filter((path) => path.some(({ kind }) => kind !== 'name' && kind !== 'each'));
  }

  /** Whether one of them matches the property that another path names. */
  mean(named: Path): boolean {
    return this.written.has(keyOf(named)) || this.patterns.some((path) => meansProperty(path, named));
  }
}

/** The same for paths that differ only in steps into arrays. */
function keyOf(path: Path): string {
  return JSON.stringify(withoutEach(path));
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

/** Every way to see a property's path as a prefix and what stands below it. */
function splitsOf(steps: readonly Step[]): { prefix: readonly Step[]; column: readonly Step[] }[] {
  return steps.map((_step, at) => ({ prefix: steps.slice(0, at), column: steps.slice(at) }));
}

/** The ways in which a policy may spell a property: levels of arrays left out, or as `#`. */
function spellings(steps: readonly NamedStep[]): readonly string[] {
  const marked = steps.map((step) => (step === ELEMENT ? '#' : step));
  return _.uniq([namesIn(steps).join('.'), marked.join('.')]);
}

/**
 * Whether a path leads along steps to their end.
 *
 * @param whereUnknown what counts for an element whose index is not known, where the path tells one
 */
function leadsTo(path: Path, steps: readonly NamedStep[], whereUnknown = true): boolean {
  let positions = closed([0], path);
  for (const step of steps) {
    const next = positions.flatMap((at) => positionsBehind(path[at], at, step, whereUnknown));
    positions = closed(next, path);
  }
  return positions.includes(path.length);
}

function positionsBehind(
  segment: Segment | undefined,
  at: number,
  step: NamedStep,
  whereUnknown: boolean,
): number[] {
  // The elements of an array are spelt as the array itself is.
  if (segment === undefined) return step === ELEMENT ? [at] : [];
  if (segment.kind === 'descend') return [at];
  if (typeof step === 'string') return matchesName(segment, step) ? [at + 1] : [];
  if (step === ELEMENT && dependsOnIndex(segment)) return whereUnknown ? [at, at + 1] : [];
  const { matches, enters } = matchElement(segment, step === ELEMENT ? NaN : step, () => NaN);
  return [...(matches ? [at + 1] : []), ...(enters ? [at] : [])];
}

/** `..` also stands for no step at all. */
function closed(positions: readonly number[], path: Path): readonly number[] {
  return _.uniq(positions.flatMap((at) => (path[at]?.kind === 'descend' ? [at, at + 1] : [at])));
}

/**
 * Whether a path matches the property that another one names; a step into an array that only one of them writes out is no
 * difference.
 */
function meansProperty(path: Path, named: Path): boolean {
  if (_.isEqual(withoutEach(path), withoutEach(named))) return true;
  return namesEachStep(named) && named.length > 0 && leadsTo(path, stepsOf(named));
}

/** An array is entered whether a path says so or not; only at the end does it make a difference. */
function withoutEach(path: Path): Path {
  const end = path.findLastIndex(({ kind }) => kind !== 'each');
  return path.filter(({ kind }, at) => kind !== 'each' || at > end);
}

function namesEachStep(path: Path): boolean {
  return path.every(({ kind }) => kind === 'name' || kind === 'each' || kind === 'index');
}

/** The steps that a path stands for that names each of them. */
function stepsOf(path: Path): readonly NamedStep[] {
  return path.map((segment) => {
    if (segment.kind === 'index') return segment.index;
    return segment.kind === 'name' ? segment.name : ELEMENT;
  });
}

function namesIn(steps: readonly NamedStep[]): (string | number)[] {
  return steps.filter((step) => step !== ELEMENT);
}
