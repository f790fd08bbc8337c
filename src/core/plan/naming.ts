import _ from 'lodash';
import { allOf, ALWAYS, anyOf, NEVER, type Condition, type Leaf } from '../conditions/condition.ts';
import type { ElementStep, Route, Step } from '../paths/route.ts';
import { matchElement, matchesName, type Path, type Segment } from '../paths/path.ts';
import type { Frame } from './frame.ts';

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

/** The steps to a value, and whether it is an object. */
interface Place {
  readonly steps: readonly Step[];
  readonly isObject: boolean;
}

/** A property with every way to split its path. */
interface SplitPlace extends Place {
  readonly splits: readonly Split[];
  /** Whether a path has to name it: it is a record as a whole, or absent. */
  readonly needsPath: boolean;
}

/** A part of a route, from one step up to another. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** How a property's path is read as a prefix and a name; without a split, the whole path is the name. */
interface Split {
  readonly names: readonly Part[];
  readonly prefixes: readonly Part[] | undefined;
}

/**
 * What a condition tree says of property names, decided apart from what it says of records (enforcement §6, "Names in
 * conditions").
 */
export class Naming {
  private readonly condition: Condition;
  private readonly frame: Frame;
  private readonly mentionsPrefix: boolean;
  private readonly mentionsName: boolean;
  /** The parts of the condition that say something of names. */
  private readonly named: ReadonlySet<Condition>;

  constructor(condition: Condition, frame: Frame) {
    this.condition = condition;
    this.frame = frame;
    this.mentionsPrefix = leavesOn(condition, 'prefix').length > 0;
    this.mentionsName = leavesOn(condition, 'property').length > 0;
    this.named = new Set(partsOnNames(condition));
  }

  /**
   * What is left of the tree for a property.
   *
   * @param route what leads to the property from the payload, or from the object that the root word stands for around it
   */
  decide(route: Route, occupant: Occupant): Condition {
    if (occupant !== 'scalar' && !this.mentionsName) return NEVER;
    const steps = route.steps();
    const recordAt = route.recordAt ?? steps.length;
    const splits = this.mentionsPrefix ? [...this.splits(steps, recordAt)] : [];
    const place = {
      steps,
      isObject: occupant === 'object' || occupant === 'record',
      needsPath: occupant === 'absent' || occupant === 'record',
      splits,
    };
    const whole = this.waysAt(this.condition, place, this.unsplit(steps, recordAt));
    const alternatives = [occupant === 'scalar' ? whole.any : whole.name];
    for (const split of splits) {
      const ways = this.waysAt(this.condition, place, split);
      alternatives.push(occupant === 'scalar' ? ways.prefix : ways.both);
    }
    return anyOf(alternatives);
  }

  private unsplit(steps: readonly Step[], recordAt: number): Split {
    return {
      names: this.startsAt(recordAt).map((from) => ({ from, to: steps.length })),
      prefixes: undefined,
    };
  }

  /** Every way to split the path from the payload, and with it the path from the record; the prefix may be empty. */
  private *splits(steps: readonly Step[], recordAt: number): Generator<Split> {
    yield { ...this.unsplit(steps, recordAt), prefixes: [] };
    // The object that the root word stands for around the payload is not there, so that nothing is split before it.
    const first = this.frame.rootWord === undefined ? 0 : 1;
    for (let at = first; at < steps.length; at++) yield this.splitAt(at, steps, recordAt);
  }

  private splitAt(at: number, steps: readonly Step[], recordAt: number): Split {
    return {
      names: [{ from: at, to: steps.length }],
      prefixes: this.startsAt(recordAt)
        .filter((from) => from <= at)
        .map((from) => ({ from, to: at })),
    };
  }

  /** Where a property's path may begin: at the payload, with and without the root word, and at the record. */
  private startsAt(recordAt: number): readonly number[] {
    const payload = this.frame.rootWord === undefined ? [0] : [0, 1];
    return [...new Set([...payload, recordAt])];
  }

  private waysAt(condition: Condition, place: SplitPlace, split: Split): Ways {
    if (!this.named.has(condition)) return { ...IMPOSSIBLE, any: condition };
    if (condition.kind === 'leaf') return this.waysOfLeaf(condition, place, split);
    const [named, others] = _.partition(condition.of, (part) => this.named.has(part));
    const ways = named.map((part) => this.waysAt(part, place, split));
    if (condition.kind === 'any') return ways.reduce(either, { ...IMPOSSIBLE, any: anyOf(others) });
    return ways.reduce(together, { ...IMPOSSIBLE, any: allOf(others) });
  }

  private waysOfLeaf(leaf: Leaf, place: SplitPlace, { names: parts, prefixes }: Split): Ways {
    const { negated } = leaf.comparison.operator;
    if (leaf.subject === 'property') {
      if (this.fits(leaf, place, parts) === negated) return IMPOSSIBLE;
      const names = !negated && (!place.needsPath || leaf.paths.length > 0);
      return { ...IMPOSSIBLE, any: ALWAYS, name: names ? ALWAYS : NEVER };
    }
    if (prefixes === undefined) return IMPOSSIBLE;
    // A negated leaf is the negation of the positive one, which holds if it holds for any prefix.
    const holds = negated
      ? !place.splits.some((split) => this.fits(leaf, place, split.prefixes ?? []))
      : this.fits(leaf, place, prefixes);
    return holds ? { ...IMPOSSIBLE, any: ALWAYS, prefix: ALWAYS } : IMPOSSIBLE;
  }

  /** Whether the positive counterpart of a leaf holds in any reading. */
  private fits(leaf: Leaf, { steps, isObject }: Place, parts: readonly Part[]): boolean {
    const { relation } = leaf.comparison.operator;
    const { rootWord } = this.frame;
    return parts.some(({ from, to }) => {
      const part = steps.slice(from, to);
      const endsInObject = to < steps.length ? typeof steps[to] === 'string' : isObject;
      const isAtPayload = from === 0 || (from === 1 && rootWord !== undefined);
      if (relation === 'equals')
        return leaf.paths.some((path) =>
          this.leads(path, { steps: part, isObject: endsInObject }, isAtPayload),
        );
      return this.spellings(leaf, part, isAtPayload).some((text) => leaf.comparison.fits(text));
    });
  }

  private leads(path: Path, part: Place, isAtPayload: boolean): boolean {
    if (leadsAlong(path, part)) return true;
    const [first, ...rest] = path;
    const namesPayload = this.frame.isJsonNamed && first?.kind === 'name' && first.name === 'json';
    return isAtPayload && namesPayload && leadsAlong(rest, part);
  }

  /** The ways to write a path: arrays left out, as `#`, or as the index; with `json` if the condition does so; none for the payload itself without it. */
  private spellings(leaf: Leaf, part: readonly Step[], isAtPayload: boolean): readonly string[] {
    const texts = part.length > 0 ? spellingsOf(part) : [];
    const mayBeJson =
      isAtPayload && this.frame.isJsonNamed && leaf.values.some((value) => value.startsWith('json'));
    if (!mayBeJson) return texts;
    return part.length > 0 ? [...texts, ...texts.map((text) => `json.${text}`)] : ['json'];
  }
}

const IMPOSSIBLE: Ways = { any: NEVER, prefix: NEVER, name: NEVER, both: NEVER };

function either(a: Ways, b: Ways): Ways {
  return {
    any: anyOf([a.any, b.any]),
    prefix: anyOf([a.prefix, b.prefix]),
    name: anyOf([a.name, b.name]),
    both: anyOf([a.both, b.both]),
  };
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

/** Paths through more arrays than this are spelt in fewer ways: a style up to some array, and another from there on. */
const MAX_MIXED = 4;
/** The ways to write an element: not at all, as `#`, and as its index. */
const STYLES = [
  () => [],
  () => ['#'],
  ({ index }: ElementStep) => (Number.isNaN(index) ? [] : [String(index)]),
] as const;
type Style = (typeof STYLES)[number];

/** The ways to write a path: each array left out, as `#`, or as the index. */
function spellingsOf(part: readonly Step[]): readonly string[] {
  const arrays = part.filter((step) => typeof step !== 'string').length;
  const mixes = arrays > MAX_MIXED ? changesOfStyle(arrays) : mixesOfStyles(arrays);
  const texts = new Set(mixes.map((styles) => spelt(part, styles)));
  texts.delete('');
  return [...texts];
}

function spelt(part: readonly Step[], styles: readonly Style[]): string {
  let arrays = 0;
  return part
    .flatMap((step) => (typeof step === 'string' ? [step] : (styles[arrays++] ?? STYLES[0])(step)))
    .join('.');
}

function mixesOfStyles(arrays: number): readonly (readonly Style[])[] {
  let mixes: readonly (readonly Style[])[] = [[]];
  for (let array = 0; array < arrays; array++)
    mixes = mixes.flatMap((mix) => STYLES.map((style) => [...mix, style]));
  return mixes;
}

function changesOfStyle(arrays: number): readonly (readonly Style[])[] {
  return _.range(arrays + 1).flatMap((at) =>
    STYLES.flatMap((before) =>
      STYLES.map((after) => _.range(arrays).map((array) => (array < at ? before : after))),
    ),
  );
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

/** Whether a path leads along steps to their end. */
function leadsAlong(path: Path, { steps, isObject }: Place): boolean {
  let positions = new Set([0]);
  for (const step of steps) {
    const here = closed(positions, path, typeof step === 'string');
    positions = successors(here, path, step);
    if (positions.size === 0) return false;
  }
  return closed(positions, path, isObject).has(path.length);
}

function successors(positions: ReadonlySet<number>, path: Path, step: Step): Set<number> {
  const next = new Set<number>();
  for (const at of positions) for (const position of successorsOf(path[at], at, step)) next.add(position);
  return next;
}

function successorsOf(segment: Segment | undefined, at: number, step: Step): readonly number[] {
  // The elements of an array have the array's own path, too.
  if (segment === undefined) return typeof step === 'string' ? [] : [at];
  if (segment.kind === 'descend') return [at];
  if (typeof step === 'string') return matchesName(segment, step) ? [at + 1] : [];
  const { matches, enters } = matchElement(segment, step.index, () => step.length);
  return [...(matches ? [at + 1] : []), ...(enters ? [at] : [])];
}

/** `..` also matches no step at all, and `#` an object that is a list of one. */
function closed(positions: Set<number>, path: Path, isObject: boolean): Set<number> {
  for (const at of positions) {
    const kind = path[at]?.kind;
    if (kind === 'descend' || (isObject && kind === 'each')) positions.add(at + 1);
  }
  return positions;
}

/** What tells elements apart in the names of conditions. */
export function elementsNamedIn(leaves: readonly Leaf[]): {
  readonly segments: readonly Segment[];
  readonly all: boolean;
} {
  return {
    segments: leaves.flatMap(({ paths }) => paths.flat().filter(isIndexed)),
    all: leaves.some(({ paths, values }) => paths.length === 0 && values.some(maySpellIndex)),
  };
}

export function isIndexed({ kind }: Segment): boolean {
  return kind === 'index' || kind === 'slice' || kind === 'union';
}

/** Whether a text that is compared with a path, or a part of one, may be about an index. */
function maySpellIndex(text: string): boolean {
  return text.split('.').some((segment) => /^\d+$/u.test(segment));
}
