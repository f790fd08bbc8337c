import { Automaton, type AutomatonRoutes } from '../paths/automaton.ts';
import { mayNameRoot, type Segment } from '../paths/path.ts';
import { isPlain, plainPosition, Reading, type PlainPaths } from '../paths/plain-paths.ts';
import { pathOf, PATH_STRIDE, type Position } from '../paths/position.ts';
import type { PositionSet } from '../paths/position-set.ts';
import type { Route } from '../paths/route.ts';
import type { State } from '../paths/state.ts';
import { CreatingPaths } from './creating-paths.ts';
import type { Frame } from './frame.ts';
import type { PathList } from './path-list.ts';
import { readingsOf, type ReadPath } from './read-paths.ts';

/** What selects elements of an array. */
const ELEMENT_KINDS: ReadonlySet<Segment['kind']> = new Set(['each', 'index', 'any', 'slice', 'union']);
/** What a state takes, and a way to one, in bytes, roughly. */
export const BYTES_PER_STATE = 1536;

/** The states at the roots that one state leads to, by what else decides them. */
type StatesByRoot<Note> = Map<string, State<Note>>;

/** How paths of a plan are compiled. */
interface PathsOptions {
  /** Whether rules create missing values. */
  readonly creates: boolean;
  readonly frame: Frame;
  /** Makes what the states know besides the paths; if given, no other plan may share them. */
  readonly routes?: (() => AutomatonRoutes) | undefined;
}

/** Which paths begin at records, or lead to these, and create what is missing in the records of some roots. */
export interface RootPaths<Note> {
  /** What leads to the roots, and on from there. */
  readonly paths: PlanPaths<Note>;
  readonly creators: readonly number[];
}

/** The states at roots, each with whether the root is an array. */
type StatesAtRoots<Note> = Iterable<{ readonly state: State<Note>; readonly isArray: boolean }>;

/** The paths that lead to a root, by their places; and whether plain paths do. */
interface Leading {
  readonly places: ReadonlySet<number>;
  readonly arePlain: boolean;
}

/** The positions at which paths begin at a root, and what else it depends on where they lead. */
interface Begun {
  readonly key: string;
  readonly set: PositionSet;
}

const NOT_LEADING: Leading = { places: new Set(), arePlain: false };

/**
 * The paths of a plan in an automaton. Each is read in two ways (docs/path-syntax.md): from the record, and from the payload.
 * Nothing here depends on what rules ask at the paths, so plans with the same paths share it.
 */
export class PlanPaths<Note> {
  /** The state at the payload; undefined without paths and routes. */
  readonly top: State<Note> | undefined;
  /** The paths that begin at records, or lead to these, and create what is missing, by number. */
  private readonly creators: readonly number[];
  readonly list: PathList;
  private readonly options: PathsOptions;
  /** The same paths, each followed by itself; made when it is needed. */
  private apart: PlanPaths<Note> | undefined;
  private readonly automaton: Automaton<Note>;
  /** Those that create what is missing. */
  readonly creating: CreatingPaths;
  /** Those of names, which are followed together. */
  private readonly plain: PlainPaths | undefined;
  /** The other paths of the automaton: one of the plan follows the other, each in all its readings. */
  private readonly paths: readonly ReadPath[];
  /** Those that begin at records and match what is there. */
  private readonly fromRecord: readonly number[];
  private readonly rootStates = new WeakMap<State<Note>, StatesByRoot<Note>>();
  /** Those at roots that no path leads to. */
  private readonly unreached: StatesByRoot<Note> = new Map();
  /** Of each set of positions at a root, the paths that lead to it. */
  private readonly leadingToObjects = new WeakMap<PositionSet, Leading>();
  private readonly leadingToArrays = new WeakMap<PositionSet, Leading>();
  /** How paths begin at roots, by those that create what is missing. */
  private readonly begun = new WeakMap<readonly number[], Begun>();
  /** The states at the payload, once it was the only root. */
  private payloadArray: State<Note> | undefined;
  private payloadObject: State<Note> | undefined;

  /** @param isApart whether plain paths are followed as all others */
  constructor(list: PathList, options: PathsOptions, isApart = false) {
    const { creates, frame } = options;
    const places = isApart ? [...list.all.keys()] : list.others;
    const paths = places.flatMap((place) => readingsOf(list.at(place), place, { creates, frame, isApart }));
    const fromRecord: number[] = [];
    const creators: number[] = [];
    const fromPayload: Position[] = [];
    for (const [number, { matched, creates: isCreating, leadsToRecords }] of paths.entries()) {
      if (leadsToRecords) creators.push(number);
      if (matched !== undefined) fromPayload.push(number * PATH_STRIDE + matched);
      else if (isCreating) creators.push(number);
      else fromRecord.push(number);
    }
    this.list = list;
    this.options = options;
    this.paths = paths;
    this.fromRecord = fromRecord;
    this.creators = creators;
    this.plain = isApart || list.plain.isEmpty ? undefined : list.plain;
    if (this.plain?.top.hasNext) fromPayload.push(plainPosition(this.plain.top, Reading.payload));
    const routes = options.routes?.();
    const automaton = new Automaton<Note>(
      paths.map(({ path }) => path),
      {
        routes,
        plain: this.plain,
        matchedAtRecords: (path) => paths[path]?.matchedAtRecords ?? 0,
        forgetsAtOnce: true,
      },
    );
    this.automaton = automaton;
    this.creating = new CreatingPaths(list, { automaton, paths, plain: this.plain });
    if (list.all.length > 0 || routes !== undefined) this.top = this.automaton.startAt(fromPayload);
  }

  /** Forgets what was noted at states. */
  forgetNotes(): void {
    this.automaton.forgetNotes();
    this.apart?.forgetNotes();
  }

  /** How much what payloads have led to takes, in bytes, roughly: it grows while they are read. */
  get weight(): number {
    return this.keptStates * BYTES_PER_STATE + this.weightOfElements;
  }

  /** How many states and ways to states are kept. */
  get keptStates(): number {
    return this.automaton.keptStates + (this.apart?.keptStates ?? 0);
  }

  /** How many states payloads have led to so far, those that were forgotten and made anew each time. */
  get madeStates(): number {
    return this.automaton.made + (this.apart?.madeStates ?? 0);
  }

  private get weightOfElements(): number {
    return this.automaton.weightOfElements + (this.apart?.weightOfElements ?? 0);
  }

  /**
   * The paths for some roots. Those that lead to a root from the payload are about the payload, so they create nothing in its
   * records; of plain paths only some may be so, and then each has to be followed by itself.
   *
   * @param statesAt the states at the roots by some paths
   */
  forRoots(statesAt: (paths: PlanPaths<Note>) => StatesAtRoots<Note>): RootPaths<Note> {
    const creators = this.creatorsFor(statesAt(this));
    if (creators) return { paths: this, creators };
    this.apart ??= new PlanPaths(this.list, this.options, true);
    return this.apart.forRoots(statesAt);
  }

  /**
   * The state at the payload if it is the only root, as {@link forRoots} and {@link atRoot} find it.
   *
   * @returns undefined if that depends on more than whether it is an array, or if no path is about anything
   */
  atPayload(isArray: boolean): State<Note> | undefined {
    const { top } = this;
    if (top === undefined || top.awaitsElement) return undefined;
    const known = isArray ? this.payloadArray : this.payloadObject;
    if (known) return known;
    const { paths, creators } = this.forRoots((from) => (from.top ? [{ state: from.top, isArray }] : []));
    const state = paths.atRoot(paths.top, creators);
    if (isArray) this.payloadArray = state;
    else this.payloadObject = state;
    return state;
  }

  /** The paths of the plan that end at a state, by their places, in order. */
  placesAt(state: State<Note>): readonly number[] {
    return this.of(state).ownPlacesAt(state);
  }

  private ownPlacesAt({ accepts, plainEnds }: State<Note>): readonly number[] {
    const places: number[] = [];
    for (const path of accepts) {
      const place = this.placeOf(path);
      // All readings of one path follow one another.
      if (places.at(-1) !== place) places.push(place);
    }
    for (const place of plainEnds) if (!places.includes(place)) places.push(place);
    return places;
  }

  /**
   * The state at a root, for the state at the value that it is: from here on paths also begin at records. A path with a
   * wildcard does not name a root.
   *
   * @param creators those of {@link forRoots}
   */
  atRoot(state: State<Note> | undefined, creators: readonly number[]): State<Note> | undefined {
    if (this.top === undefined) return undefined;
    const known = this.statesFor(state);
    const begun = this.begunAtRoot(creators);
    const before = known.get(begun.key);
    if (before) return before;
    const made =
      state === undefined
        ? this.automaton.stateOf([begun.set], [], this.automaton.routes?.top)
        : this.creatingBy(state, creators).atRoot(begun.set);
    known.set(begun.key, made);
    return made;
  }

  /** The same state without the paths that lead to records and are not among these. */
  private creatingBy(state: State<Note>, creators: readonly number[]): State<Note> {
    if (creators === this.creators) return state;
    const allowed = new Set(creators);
    const isAllowed = (position: Position): boolean =>
      isPlain(position) ||
      allowed.has(pathOf(position)) ||
      this.paths[pathOf(position)]?.leadsToRecords !== true;
    const sets = state.sets.map(({ positions }) => this.automaton.setOf(positions.filter(isAllowed)));
    return this.automaton.stateOf(sets, [], state.route);
  }

  /** @returns undefined if plain paths lead to a root */
  private creatorsFor(roots: StatesAtRoots<Note>): readonly number[] | undefined {
    const { creators } = this;
    if (!this.options.creates) return creators;
    const met = new Set<Leading>([NOT_LEADING]);
    const leading = new Set<number>();
    for (const { state, isArray } of roots) {
      for (const set of state.sets) {
        const found = this.leadingTo(set, isArray);
        if (met.has(found)) continue;
        met.add(found);
        if (found.arePlain) return undefined;
        for (const place of found.places) leading.add(place);
      }
    }
    return leading.size === 0 ? creators : creators.filter((creator) => !leading.has(this.placeOf(creator)));
  }

  /** Those of these paths and of those that are followed apart that a state is of. */
  of(state: State<Note>): PlanPaths<Note> {
    return state.isIn(this.automaton) ? this : (this.apart ?? this);
  }

  /** The state in which only paths go on that have come so far, and as far as routes matter. */
  stateAt(sets: readonly PositionSet[], route: Route | undefined): State<Note> {
    return this.automaton.stateOf(sets, [], route);
  }

  private begunAtRoot(creators: readonly number[]): Begun {
    const known = this.begun.get(creators);
    if (known) return known;
    const key = creators === this.creators ? '' : `/${creators.join(' ')}`;
    const begun = { key, set: this.automaton.setOf(this.positionsAtRoot(creators)) };
    this.begun.set(creators, begun);
    return begun;
  }

  /** In ascending order. */
  private positionsAtRoot(creators: readonly number[]): readonly Position[] {
    const creating = creators.filter((path) => this.paths[path]?.matched === undefined);
    const begun = [...this.fromRecord, ...creating].map((path) => path * PATH_STRIDE);
    if (this.plain?.inRecords.hasNext) begun.push(plainPosition(this.plain.inRecords, Reading.nextMatch));
    if (this.plain?.top.hasNext) {
      begun.push(plainPosition(this.plain.top, Reading.nextMatch));
      if (this.options.creates) begun.push(plainPosition(this.plain.top, Reading.nextCreate));
    }
    return begun.toSorted((a, b) => a - b);
  }

  private statesFor(state: State<Note> | undefined): StatesByRoot<Note> {
    if (state === undefined) return this.unreached;
    const known = this.rootStates.get(state);
    if (known) return known;
    const states: StatesByRoot<Note> = new Map();
    this.rootStates.set(state, states);
    return states;
  }

  private leadingTo(set: PositionSet, isArray: boolean): Leading {
    const leading = isArray ? this.leadingToArrays : this.leadingToObjects;
    const known = leading.get(set);
    if (known) return known;
    const places = new Set<number>();
    let arePlain = false;
    for (const position of set.positions) {
      if (isPlain(position)) arePlain ||= this.plain?.nodeAt(position) !== this.plain?.top;
      else if (this.leads(pathOf(position), position % PATH_STRIDE, isArray))
        places.add(this.placeOf(pathOf(position)));
    }
    const found = places.size === 0 && !arePlain ? NOT_LEADING : { places, arePlain };
    leading.set(set, found);
    return found;
  }

  /** Whether a path leads to a root by names, `#` and indexes. */
  private leads(path: number, matched: number, isArray: boolean): boolean {
    const { path: segments, isBehindName, leadsToRecords } = this.paths[path]!;
    if (leadsToRecords) return false;
    const next = segments[matched]?.kind;
    const isElement = isArray && next !== undefined && ELEMENT_KINDS.has(next);
    if (matched === 0) return isElement || isBehindName;
    return mayNameRoot(segments.slice(0, matched));
  }

  private placeOf(path: number): number {
    return this.paths[path]!.place;
  }
}
