import { Automaton, type AutomatonRoutes } from '../paths/automaton.ts';
import { isLiteral, mayNameRoot, type Path, type Segment } from '../paths/path.ts';
import { pathOf, PATH_STRIDE } from '../paths/position.ts';
import type { State } from '../paths/state.ts';
import { matchedAtPayload, stateAtPayload, type Frame } from './frame.ts';

/** A path that rules are about. */
export interface PlanPath {
  /** The same for the same path read in the same ways, and another one for others. */
  readonly key: string;
  readonly path: Path;
  /** Whether it is read from the record alone, and not from the payload as well. */
  readonly inRecordOnly: boolean;
}

/** The path from a record to itself and everything in it. No key of a path that a decision gives is `*`. */
export const ANYTHING_IN_RECORD: PlanPath = { key: '*', path: [{ kind: 'descend' }], inRecordOnly: true };

const RECORD: Segment = { kind: 'record', purpose: 'match' };
const RECORD_TO_CREATE_IN: Segment = { kind: 'record', purpose: 'create' };
/** What selects elements of an array. */
const ELEMENT_KINDS: ReadonlySet<Segment['kind']> = new Set(['each', 'index', 'any', 'slice', 'union']);
const NONE: ReadonlySet<number> = new Set();
const AT_PAYLOAD = 1;

/** The states at the roots that one state leads to, by what else decides them. */
type RootStates<Note> = Map<string, State<Note>>;

/**
 * The paths of a plan in an automaton. Each is read in two ways (docs/path-syntax.md): from the record, and from the payload.
 * Nothing here depends on what rules ask at the paths, so plans with the same paths share it.
 */
export class PlanPaths<Note> {
  /** The state at the payload; undefined without paths and routes. */
  readonly top: State<Note> | undefined;
  /** The paths that begin at records and create what is missing: the number of each, which is one less than that of its twin from the payload. */
  private readonly creators: readonly number[];
  private readonly frame: Frame;
  private readonly automaton: Automaton<Note>;
  /** The paths of the automaton: one of the plan follows the other, each in all its readings. */
  private readonly paths: readonly Path[] = [];
  /** The place of each among the paths of the plan. */
  private readonly places: readonly number[] = [];
  /** The paths that begin at records and match what is there. */
  private readonly fromRecord: readonly number[];
  /** Of each path, after how many of its segments the rest names properties one by one; filled in when it is asked for. */
  private readonly exactFrom: number[] = [];
  private readonly rootStates = new WeakMap<State<Note>, RootStates<Note>>();
  /** Those at roots that no path leads to. */
  private readonly unreached: RootStates<Note> = new Map();
  /** Of each state at a root, the paths that lead to it: in an object and in an array. */
  private readonly leading = new WeakMap<State<Note>, Map<boolean, ReadonlySet<number>>>();

  /**
   * @param creates whether rules create missing values
   * @param routes what the states know besides the paths; if given, no other plan may share this
   */
  constructor(plan: readonly PlanPath[], creates: boolean, frame: Frame, routes?: AutomatonRoutes) {
    const paths: Path[] = [];
    const places: number[] = [];
    const fromRecord: number[] = [];
    const creators: number[] = [];
    const fromPayload: (readonly [path: Path, number: number])[] = [];
    for (const [place, { path, inRecordOnly }] of plan.entries()) {
      fromRecord.push(paths.length);
      paths.push([RECORD, ...path]);
      places.push(place);
      if (inRecordOnly) continue;
      // What begins with `json` is about the payload.
      if (creates && !(frame.isJsonNamed && beginsWithJson(path))) {
        creators.push(paths.length);
        paths.push([RECORD_TO_CREATE_IN, ...path]);
        places.push(place);
      }
      fromPayload.push([path, paths.length]);
      paths.push(path);
      places.push(place);
    }
    this.frame = frame;
    this.paths = paths;
    this.places = places;
    this.fromRecord = fromRecord;
    this.creators = creators;
    this.automaton = new Automaton<Note>(paths, { routes });
    if (paths.length > 0 || routes !== undefined)
      this.top = stateAtPayload(this.automaton, fromPayload, frame);
  }

  /** The paths of the plan that end at a state, by their places, in order. */
  placesAt({ accepts }: State<Note>): readonly number[] {
    const places: number[] = [];
    for (const path of accepts) {
      const place = this.places[path];
      // All readings of one path follow one another.
      if (place !== undefined && places.at(-1) !== place) places.push(place);
    }
    return places;
  }

  /**
   * The state at a root, for the state at the value that it is: from here on paths also begin at records. A path with a
   * wildcard does not name a root.
   *
   * @param creators those of {@link creatorsFor}
   * @param names how many properties lead to the root
   */
  atRoot(
    state: State<Note> | undefined,
    creators: readonly number[],
    names: number,
  ): State<Note> | undefined {
    if (this.top === undefined) return undefined;
    const known = this.statesFor(state);
    const key = creators === this.creators ? String(names) : `${names}/${creators.join(' ')}`;
    const before = known.get(key);
    if (before) return before;
    const begun = [...this.fromRecord, ...creators].toSorted((a, b) => a - b);
    const isNamed = (path: number, matched: number): boolean => this.isNamed(path, matched, names);
    const made =
      state === undefined
        ? this.automaton.startOf(begun.map((path) => [path, 0]))
        : state.with(isNamed, begun, state.route?.atRoot(names));
    known.set(key, made);
    return made;
  }

  /**
   * Which of the paths that begin at records create what is missing: not those that lead to a root from the payload, which
   * are about the payload.
   *
   * @param roots of each root the state at the value that it is, and whether that is an array
   */
  creatorsFor(
    roots: Iterable<{ readonly state: State<Note>; readonly isArray: boolean }>,
  ): readonly number[] {
    const { creators } = this;
    if (creators.length === 0) return creators;
    const all = new Set<ReadonlySet<number>>();
    for (const { state, isArray } of roots) all.add(this.leadingTo(state, isArray));
    all.delete(NONE);
    if (all.size === 0) return creators;
    const leading = [...all];
    return creators.filter((creator) => !leading.some((paths) => paths.has(creator + AT_PAYLOAD)));
  }

  /**
   * The state in which only those paths go on that create what is missing, and the names that some of them look for next;
   * undefined if they look for none.
   *
   * @param wanted the places of the paths at which a value is created
   * @param kinds the segments that may name a property to create
   */
  creatingFrom(
    state: State<Note>,
    wanted: ReadonlySet<number>,
    kinds: ReadonlySet<Segment['kind']>,
  ): { readonly state: State<Note>; readonly names: readonly string[] } | undefined {
    const names = new Set<string>();
    for (const position of state.positions) {
      const path = pathOf(position);
      if (!wanted.has(this.places[path] ?? -1) || !this.mayCreate(path, position % PATH_STRIDE)) continue;
      const segment = this.automaton.segmentAt(position);
      if (segment && kinds.has(segment.kind) && 'name' in segment) names.add(segment.name);
    }
    if (names.size === 0) return undefined;
    return { state: state.with((path, matched) => this.mayCreate(path, matched), []), names: [...names] };
  }

  private statesFor(state: State<Note> | undefined): RootStates<Note> {
    if (state === undefined) return this.unreached;
    const known = this.rootStates.get(state) ?? new Map<string, State<Note>>();
    this.rootStates.set(state, known);
    return known;
  }

  private isNamed(path: number, matched: number, names: number): boolean {
    const segments = this.paths[path] ?? [];
    return matched < segments.length || mayNameRoot(segments, names);
  }

  private leadingTo(state: State<Note>, isArray: boolean): ReadonlySet<number> {
    const known = this.leading.get(state) ?? new Map<boolean, ReadonlySet<number>>();
    this.leading.set(state, known);
    const before = known.get(isArray);
    if (before) return before;
    const paths = new Set<number>();
    for (const position of state.positions) {
      const path = pathOf(position);
      if (this.leads(path, position % PATH_STRIDE, isArray)) paths.add(path);
    }
    const found = paths.size === 0 ? NONE : paths;
    known.set(isArray, found);
    return found;
  }

  /** Whether a path leads to a root by names, `#` and indexes. */
  private leads(path: number, matched: number, isArray: boolean): boolean {
    const segments = this.paths[path] ?? [];
    const next = segments[matched]?.kind;
    const isElement = isArray && next !== undefined && ELEMENT_KINDS.has(next);
    if (matched === 0) return isElement;
    return segments.slice(0, matched).every(isLiteral);
  }

  private mayCreate(path: number, matched: number): boolean {
    const segments = this.paths[path] ?? [];
    if (segments[0] === RECORD) return false;
    // The beginning of a path that names the payload is no property to create.
    if (matched === 0 && matchedAtPayload(segments, this.frame).length > 1) return false;
    return matched >= (this.exactFrom[path] ??= exactFrom(segments));
  }
}

function beginsWithJson([first]: Path): boolean {
  return first?.kind === 'name' && first.name === 'json';
}

/**
 * How many segments of a path have to be matched before the rest of it names properties one by one. What follows `..` has
 * to exist.
 */
function exactFrom(path: Path): number {
  const last = path.findLastIndex((segment) => segment.kind !== 'record' && !isLiteral(segment));
  return last < 0 ? 0 : last + (path[last]?.kind === 'descend' ? 2 : 1);
}
