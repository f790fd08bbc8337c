import { ElementTransitions } from './element-transitions.ts';
import { atRecord, behindElements, isAtEnd, reachedAt, type Paths, type Reached } from './positions.ts';
import type { Position } from './position.ts';
import { Transitions } from './transitions.ts';
import type { WildcardSet } from './wildcard-set.ts';

/** How many positions a set must have for what most names and elements have in common to be a set of its own. */
const MANY = 64;

/** Paths, by positions in them, and the sets of these. */
export interface PositionSets extends Paths {
  /** Whether a path that has come to a root goes on, or names it. */
  mayBeAtRoot(position: Position): boolean;
  /** Whether a path that has come to a record goes on in it. */
  mayBeAtRecord(position: Position): boolean;
  /** The same set for the same positions, and more if the paths lead there at once. */
  setOf(positions: readonly Position[]): PositionSet;
}

/** Where a step leads: sets that other states may have as well, and positions. */
export interface Reach {
  readonly sets: PositionSet[];
  readonly positions: Position[];
}

/** The same of what many steps have in common. */
interface Parted {
  readonly set: PositionSet | undefined;
  readonly positions: readonly Position[];
}

/**
 * How far some paths have come. States that go on alike but for a few positions share the set of the others, so that a state costs
 * what is its own.
 */
export class PositionSet {
  /** Another one for each set. */
  readonly number: number;
  /** In ascending order. */
  readonly positions: readonly Position[];
  /** The next one of the same hash, among the sets of the automaton. */
  alike: PositionSet | undefined;
  private readonly sets: PositionSets;
  private found: Reached | undefined;
  private compiled: Transitions | undefined;
  private compiledElements: ElementTransitions | undefined;
  private record: PositionSet | undefined;
  private soleElement: PositionSet | undefined;
  private root: PositionSet | undefined;
  private goingOn: PositionSet | undefined;
  private everyName: Parted | undefined;
  private everyElement: Parted | undefined;
  /** Where names lead that its paths write out. */
  private byName: Map<string, Parted> | undefined;

  constructor(sets: PositionSets, number: number, positions: readonly Position[]) {
    this.sets = sets;
    this.number = number;
    this.positions = positions;
  }

  get isLarge(): boolean {
    return this.positions.length > MANY;
  }

  isOf(positions: readonly Position[]): boolean {
    if (this.positions.length !== positions.length) return false;
    for (let at = 0; at < positions.length; at++) if (this.positions[at] !== positions[at]) return false;
    return true;
  }

  /** What the paths ask here. */
  get reached(): Reached {
    this.found ??= reachedAt(this.sets, this.positions);
    return this.found;
  }

  get transitions(): Transitions {
    this.compiled ??= this.makeTransitions();
    return this.compiled;
  }

  get elements(): ElementTransitions {
    this.compiledElements ??= new ElementTransitions(this.sets, this.positions);
    return this.compiledElements;
  }

  private makeTransitions(): Transitions {
    const { sets } = this;
    return new Transitions(this.positions, (position) => sets.segmentAt(position), sets.plain);
  }

  /** The same paths at a record, for the value that it is. */
  inRecord(): PositionSet {
    this.record ??= this.sets.setOf(atRecord(this.sets, this.positionsForRecords()));
    return this.record;
  }

  private positionsForRecords(): readonly Position[] {
    return this.positions.filter((position) => this.sets.mayBeAtRecord(position));
  }

  /** The same paths at an object that has no property named `#`. */
  atSoleElement(): PositionSet {
    this.soleElement ??= this.sets.setOf(behindElements(this.sets, this.positions));
    return this.soleElement;
  }

  /** The same paths at a root, without those that end there with a wildcard. */
  atRoot(): PositionSet {
    this.root ??= this.sets.setOf(this.positions.filter((position) => this.sets.mayBeAtRoot(position)));
    return this.root;
  }

  /** The same paths without those that end here. */
  withoutEnds(): PositionSet {
    this.goingOn ??= this.sets.setOf(this.positions.filter((position) => !isAtEnd(this.sets, position)));
    return this.goingOn;
  }

  /** Adds where a property of this name leads. @param wildcards all that names are compared with */
  follow(name: string, wildcards: () => WildcardSet | undefined, into: Reach): void {
    const { transitions } = this;
    this.everyName ??= this.parted(transitions.always);
    add(this.everyName, into);
    const written = transitions.written(name);
    if (written !== undefined) add(this.partedBy(name, written), into);
    transitions.follow(name, wildcards, into.positions);
  }

  /** Adds where a property leads whose name is not written out and is covered by these patterns. */
  followPatterns(covering: number, into: Reach): void {
    const { transitions } = this;
    this.everyName ??= this.parted(transitions.always);
    add(this.everyName, into);
    transitions.followPatterns(covering, into.positions);
  }

  /** Adds where an element leads. */
  followElement(index: number, length: () => number, into: Reach): void {
    const { elements } = this;
    this.everyElement ??= this.parted(elements.always);
    add(this.everyElement, into);
    elements.follow(index, length, into.positions);
  }

  private partedBy(name: string, positions: readonly Position[]): Parted {
    const known = this.byName?.get(name);
    if (known) return known;
    const parted = this.parted(positions);
    this.byName ??= new Map();
    this.byName.set(name, parted);
    return parted;
  }

  /**
   * Of a path with several `..`, the shared set keeps positions before the last that was reached. They lead to nothing else, and are
   * the same in all states that share the set.
   */
  private parted(positions: readonly Position[]): Parted {
    if (positions.length <= MANY) return { set: undefined, positions };
    return { set: this.sets.setOf(positions), positions: [] };
  }
}

function add({ set, positions }: Parted, into: Reach): void {
  if (set !== undefined) into.sets.push(set);
  for (const position of positions) into.positions.push(position);
}
