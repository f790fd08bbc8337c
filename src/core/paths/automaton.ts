import _ from 'lodash';
import { SEED } from '../seed.ts';
import type { ElementSteps } from './element-steps.ts';
import { IndexClasses } from './index-classes.ts';
import { JoinedClasses } from './joined-classes.ts';
import { NameClasses, NO_TEXTS, type ComparedTexts } from './name-classes.ts';
import { mayNameRoot, type Path, type Segment } from './path.ts';
import { isPlain, type PlainPaths } from './plain-paths.ts';
import { pathOf, PATH_STRIDE, type Position } from './position.ts';
import { PositionSet, type PositionSets } from './position-set.ts';
import { merged } from './positions.ts';
import type { Route } from './route.ts';
import { State } from './state.ts';

/**
 * How many states are kept besides one for each path, and how many ways between them, so that no payload fills the memory: a payload
 * may lead along each path in turn. Past that all are forgotten: at once if the automaton may, since a payload may lead to many of
 * these one after the other; when the next payload comes otherwise, and until then more are made anew when they are met.
 */
const MAX_STATES = 2048;
/** How many sets of positions are kept for each state: forgotten with the states. */
const SETS_FOR_STATE = 2;
/** In how many sets of many positions a state has them. */
const MAX_SHARED = 4;

interface AutomatonOptions {
  /** If given, states know the route that leads to them: another route is another state. States are then forgotten at once. */
  readonly routes?: AutomatonRoutes | undefined;
  /** Whether states may be forgotten while a payload is read: classes of records rely on one state for the same positions. */
  readonly forgetsAtOnce?: boolean;
  /** More paths, which consist of names. */
  readonly plain?: PlainPaths | undefined;
  /** How many segments of a path have to be matched at a record: of one that has not come so far, nothing is followed there. */
  readonly matchedAtRecords?: (path: number) => number;
}

/** How routes go on. */
export interface AutomatonRoutes {
  readonly top: Route;
  readonly elements: ElementSteps;
  /** What routes make of names, besides what the paths do. */
  readonly texts: ComparedTexts;
  /** The segments that routes compare names with. */
  readonly segments: readonly Segment[];
}

/**
 * Many paths compiled into one automaton, so that a value is visited once whatever the number of paths. Its states are
 * made when a value first leads to them.
 */
export class Automaton<Note = undefined> implements PositionSets {
  readonly routes: AutomatonOptions['routes'];
  readonly plain: PlainPaths | undefined;
  private readonly paths: readonly Path[];
  private readonly matchedAtRecords: AutomatonOptions['matchedAtRecords'];
  private readonly forgetsAtOnce: boolean;
  /** How many states are kept. */
  private readonly most: number;
  /** Whether any path has `..` in it. */
  private readonly hasDescents: boolean;
  /** By the hash of their positions; {@link PositionSet.alike} leads to others of the same hash. */
  private readonly sets = new Map<number, PositionSet>();
  private setCount = 0;
  private keptSets = 0;
  /** By the hash of their sets and route; {@link State.alike} leads to others of the same hash. */
  private readonly states = new Map<number, State<Note>>();
  /** How many of those there are. */
  private count = 0;
  private kept = 0;
  private serial = -1;
  /** How many states were made so far, kept or not. */
  made = 0;
  /** How many times the states were forgotten. */
  private forgotten = 0;
  /** Those that refer to kept states, if these may be forgotten at once; the same one may be there several times. */
  private holders: State<Note>[] = [];
  /** Those of the states and sets that are kept. */
  private elementClasses: (IndexClasses | JoinedClasses)[] = [];
  private begun: State<Note> | undefined;
  private sorted: NameClasses | undefined;

  constructor(
    paths: readonly Path[],
    { routes, plain, matchedAtRecords, forgetsAtOnce = false }: AutomatonOptions = {},
  ) {
    this.paths = paths;
    this.matchedAtRecords = matchedAtRecords;
    this.most = MAX_STATES + paths.length;
    this.hasDescents = paths.some((path) => path.some(isDescent));
    this.routes = routes;
    this.forgetsAtOnce = forgetsAtOnce || routes !== undefined;
    this.plain = plain;
  }

  /** The state at the value that all of the paths are relative to. */
  get start(): State<Note> {
    this.begun ??= this.startOf(this.paths.map((_path, number) => [number, 0]));
    return this.begun;
  }

  /** The state at a value that some of the paths are relative to, each with how many of its segments are matched already. */
  startOf(paths: readonly (readonly [path: number, matched: number])[]): State<Note> {
    return this.startAt(paths.map(([number, matched]) => number * PATH_STRIDE + matched));
  }

  /** The state at a value where no step was taken yet. */
  startAt(positions: readonly Position[]): State<Note> {
    return this.state(positions, this.routes?.top);
  }

  /** The classes of names; made when the first name has to be looked at. */
  get classes(): NameClasses {
    this.sorted ??= this.makeClasses();
    return this.sorted;
  }

  private makeClasses(): NameClasses {
    const { segments = [], texts = NO_TEXTS } = this.routes ?? {};
    const plain = Array.from(this.plain?.names() ?? [], (name) => ({ kind: 'name', name }) as const);
    return new NameClasses([...plain, ...this.paths.flat(), ...segments], texts);
  }

  mayBeAtRecord(position: Position): boolean {
    if (isPlain(position) || this.matchedAtRecords === undefined) return true;
    return position % PATH_STRIDE >= this.matchedAtRecords(pathOf(position));
  }

  segmentAt(position: Position): Segment | undefined {
    return this.paths[pathOf(position)]?.[position % PATH_STRIDE];
  }

  classesOf(segments: readonly Segment[]): IndexClasses {
    return this.weighed(new IndexClasses(segments));
  }

  /** Sorts the elements of arrays by the classes that they have in several ways. */
  joinedClassesOf(sorts: readonly IndexClasses[]): JoinedClasses {
    return this.weighed(new JoinedClasses(sorts));
  }

  private weighed<Classes extends IndexClasses | JoinedClasses>(classes: Classes): Classes {
    this.elementClasses.push(classes);
    return classes;
  }

  /** How much the classes of elements take, in bytes, about. */
  get weightOfElements(): number {
    const ofRoutes = this.routes?.elements.classes.weight ?? 0;
    return _.sumBy(this.elementClasses, 'weight') + ofRoutes;
  }

  /** Whether there is room for a state to refer to one more. */
  keepsAnother(holder: State<Note>): boolean {
    if (this.forgetsAtOnce) {
      if (this.kept >= this.most) this.forget();
      this.holders.push(holder);
    }
    return this.kept++ < this.most;
  }

  /** How many states are kept that payloads have led to. */
  get keptStates(): number {
    return Math.min(this.kept, this.most) + this.count;
  }

  /** Forgets what was noted at the states that are kept. */
  forgetNotes(): void {
    for (const first of this.states.values()) {
      for (let state: State<Note> | undefined = first; state !== undefined; state = state.alike)
        state.note = undefined;
    }
  }

  /**
   * Begins with a text, and forgets the states of others if no more are kept.
   *
   * @returns how many times states were forgotten: a state that knows another number has to forget too
   */
  meet(serial: number): number {
    if (serial !== this.serial) {
      this.serial = serial;
      if (Math.max(this.kept, this.count, this.keptSets / SETS_FOR_STATE) >= this.most) this.forget();
    }
    return this.forgotten;
  }

  private forget(): void {
    this.kept = 0;
    this.count = 0;
    this.states.clear();
    this.keptSets = 0;
    this.sets.clear();
    this.elementClasses = [];
    this.forgotten++;
    const { holders } = this;
    this.holders = [];
    for (const holder of holders) holder.forget();
  }

  /** The state of these positions, the same one for the same positions and route. */
  state(positions: readonly Position[], route: Route | undefined): State<Note> {
    return this.stateOf([], positions, route);
  }

  /** The same of sets of positions, and more. */
  stateOf(
    shared: readonly PositionSet[],
    positions: readonly Position[],
    route: Route | undefined,
  ): State<Note> {
    const sets = this.setsOf(shared, positions);
    const hash = hashOfSets(sets, route);
    const first = this.states.get(hash);
    for (let known = first; known !== undefined; known = known.alike)
      if (known.isOf(sets, route)) return known;
    const state = new State<Note>(this, sets, route);
    this.made++;
    if (this.forgetsAtOnce && this.count >= this.most) this.forget();
    if (this.count < this.most) {
      state.alike = this.states.get(hash);
      state.isKept = true;
      this.states.set(hash, state);
      this.count++;
    }
    return state;
  }

  /** Those that have many positions each, in order, and one of all others. */
  private setsOf(shared: readonly PositionSet[], positions: readonly Position[]): readonly PositionSet[] {
    const [only, ...more] = shared;
    if (only === undefined) return positions.length === 0 ? NO_SETS : [this.setOf(positions)];
    if (more.length === 0 && positions.length === 0) return only.positions.length === 0 ? NO_SETS : shared;
    const large = new Set(shared.filter(({ isLarge }) => isLarge));
    const all = large.size > MAX_SHARED;
    const others = positions.concat(
      ...shared.filter(({ isLarge }) => all || !isLarge).map((set) => set.positions),
    );
    const sets = all ? [] : [...large].toSorted((a, b) => a.number - b.number);
    if (others.length > 0) sets.push(this.setOf(others));
    return sets;
  }

  /** The set of these positions, and of those that paths come to from there without a step. */
  setOf(positions: readonly Position[]): PositionSet {
    const closed = this.close(positions);
    const hash = hashOf(closed);
    const first = this.sets.get(hash);
    for (let known = first; known !== undefined; known = known.alike) if (known.isOf(closed)) return known;
    const set = new PositionSet(this, this.setCount++, closed);
    if (this.keptSets < this.most * SETS_FOR_STATE) {
      set.alike = first;
      this.sets.set(hash, set);
      this.keptSets++;
    }
    return set;
  }

  mayBeAtRoot(position: Position): boolean {
    if (isPlain(position)) return true;
    const path = this.paths[pathOf(position)] ?? [];
    const matched = position % PATH_STRIDE;
    const isAtEnd = (path[matched]?.kind ?? 'record') === 'record';
    return !isAtEnd || mayNameRoot(path.slice(0, matched));
  }

  /** In ascending order, each position once. */
  private close(positions: readonly Position[]): readonly Position[] {
    if (this.hasDescents) return this.closeDescents(positions);
    return lengthInOrder(positions) === positions.length
      ? positions
      : [...new Set(positions)].toSorted(byValue);
  }

  /**
   * `..` also matches no step at all. What a path can still lead to from before its last `..` it leads to from there as
   * well, so no earlier position counts.
   */
  private closeDescents(positions: readonly Position[]): readonly Position[] {
    const closed = this.withDescents(positions);
    const counting: Position[] = [];
    /** The path whose last `..` was met, and the position that was met last. */
    let path = -1;
    let latest: Position | undefined;
    for (let at = closed.length - 1; at >= 0; at--) {
      const position = closed[at]!;
      if (position === latest) continue;
      latest = position;
      if (!isPlain(position)) {
        if (pathOf(position) === path) continue;
        if (this.isDescent(position)) path = pathOf(position);
      }
      counting.push(position);
    }
    return counting.toReversed();
  }

  /** In ascending order, with those to which `..` leads without a step; a position may be there several times. */
  private withDescents(positions: readonly Position[]): readonly Position[] {
    const closed: Position[] = [];
    for (const position of positions) {
      closed.push(position);
      for (let at = position; !isPlain(at) && this.isDescent(at);) closed.push(++at);
    }
    // Most often, all but the last few are in order.
    const ordered = lengthInOrder(closed);
    return merged(closed.slice(0, ordered), closed.slice(ordered).toSorted(byValue));
  }

  private isDescent(position: Position): boolean {
    return this.segmentAt(position)?.kind === 'descend';
  }
}

const NO_SETS: readonly PositionSet[] = [];

function isDescent({ kind }: Segment): boolean {
  return kind === 'descend';
}

/** How many positions, from the first on, are in ascending order. */
function lengthInOrder(positions: readonly Position[]): number {
  let length = Math.min(1, positions.length);
  while (length < positions.length && positions[length - 1]! < positions[length]!) length++;
  return length;
}

function byValue(a: Position, b: Position): number {
  return a - b;
}

function hashOf(positions: readonly Position[]): number {
  let hash = SEED;
  for (const position of positions) hash = mixed(hash, position);
  return hash;
}

function hashOfSets(sets: readonly PositionSet[], route: Route | undefined): number {
  let hash = SEED ^ (route?.number ?? -1);
  for (const { number } of sets) hash = mixed(hash, number);
  return hash;
}

function mixed(hash: number, number: number): number {
  return Math.imul(hash ^ number ^ (hash >>> 15), 0x9e3779b1);
}
