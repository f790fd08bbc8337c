import _ from 'lodash';
import { numberOf, type Located, type Node } from '../json/located.ts';
import { NO_NUMBER } from '../json/names.ts';
import { stringAt } from '../json/text.ts';
import { NameIndex } from './name-index.ts';
import { dependsOnIndex, matchElement, matchesName, type Path, type Segment } from './path.ts';
import { ANY_ELEMENT, type ElementSteps, type Route, type Step } from './route.ts';

/** How many states are kept; further ones are made anew each time they are needed, so that no payload fills the memory. */
const MAX_STATES = 2048;
/** How far apart the positions of one path are from the next path's. */
const PATH_STRIDE = 2 ** 13;

/** A place within a path: the path's number, and how many of its segments are matched. */
type Position = number;

interface AutomatonOptions {
  /** If given, states know the route that leads to them; each route is then a state of its own. */
  readonly routes?: { readonly top: Route; readonly elements: ElementSteps } | undefined;
}

/**
 * Many paths compiled into one automaton, so that a value is visited once whatever the number of paths. Its states are
 * made when a value first leads to them.
 */
export class Automaton<Note = undefined> {
  readonly routes: AutomatonOptions['routes'];
  private readonly paths: readonly Path[];
  private readonly states = new Map<string, State<Note>>();
  private kept = 0;

  constructor(paths: readonly Path[], { routes }: AutomatonOptions = {}) {
    this.paths = paths;
    this.routes = routes;
  }

  /** The state at the value that all of the paths are relative to. */
  get start(): State<Note> {
    return this.startOf(this.paths.map((_path, number) => [number, 0]));
  }

  /** The state at a value that some of the paths are relative to, each with how many of its segments are matched already. */
  startOf(paths: readonly (readonly [path: number, matched: number])[]): State<Note> {
    return this.state(
      paths.map(([number, matched]) => number * PATH_STRIDE + matched),
      this.routes?.top,
    );
  }

  segmentAt(position: Position): Segment | undefined {
    return this.paths[pathOf(position)]?.[position % PATH_STRIDE];
  }

  /** Whether there is room to keep one more state. */
  keepsAnother(): boolean {
    return this.kept++ < MAX_STATES;
  }

  /** The state of these positions, the same one for the same positions unless states know their routes. */
  state(positions: readonly Position[], route: Route | undefined): State<Note> {
    const closed = this.close(positions);
    if (route) return new State<Note>(this, closed, route);
    const key = closed.join(' ');
    const known = this.states.get(key);
    if (known) return known;
    const state = new State<Note>(this, closed, undefined);
    if (this.states.size < MAX_STATES) this.states.set(key, state);
    return state;
  }

  /** `..` also matches no step at all. */
  private close(positions: readonly Position[]): readonly Position[] {
    const closed = new Set(positions);
    for (const position of closed) if (this.segmentAt(position)?.kind === 'descend') closed.add(position + 1);
    return _.sortBy([...closed]);
  }
}

/** How far each of an automaton's paths is matched at a value. */
export class State<Note = unknown> {
  /** What the walker keeps at this state. */
  note: Note | undefined;
  /** The numbers of the paths that end here. */
  readonly accepts: readonly number[];
  /** What leads from the payload to here, if the automaton knows routes. */
  readonly route: Route | undefined;
  /** Whether a path goes on with `#`, which also matches an object that has no property of that name. */
  readonly awaitsElement: boolean;
  private readonly automaton: Automaton<Note>;
  private readonly positions: readonly Position[];
  private readonly byName = new NameIndex<State<Note> | undefined>();
  /** The successors by the names of one document, by their number there; null is none. */
  private byNumber: (State<Note> | null | undefined)[] = [];
  private serial = -1;
  /** Whether it is held by the state before it. */
  private isKept = false;
  /** The successor for any element, once it is known: a box, since there may be none. */
  private everyElement: { readonly state: State<Note> | undefined } | undefined;
  private readonly byElement = new Map<Step, State<Note> | undefined>();
  private readonly isExact: boolean;
  private readonly dependsOnIndex: boolean;
  private record: State<Note> | undefined;
  private soleElement: State<Note> | undefined;

  constructor(automaton: Automaton<Note>, positions: readonly Position[], route: Route | undefined) {
    this.automaton = automaton;
    this.positions = positions;
    this.route = route;
    this.accepts = positions.filter((at) => automaton.segmentAt(at) === undefined).map(pathOf);
    const segments = this.segments();
    this.awaitsElement = segments.some(({ kind }) => kind === 'each');
    this.dependsOnIndex =
      segments.some(dependsOnIndex) || (route !== undefined && automaton.routes?.elements.matter === true);
    this.isExact = route === undefined && segments.every(isExact);
    if (this.isExact) this.indexNames();
  }

  /** The paths that are not matched yet, by number, with how many of their segments are. */
  *pending(): Generator<readonly [path: number, matched: number]> {
    for (const position of this.positions) {
      if (this.automaton.segmentAt(position) !== undefined) yield [pathOf(position), position % PATH_STRIDE];
    }
  }

  /** The same state with other paths: those that pass, and more of which nothing is matched. */
  with(passes: (path: number, matched: number) => boolean, more: readonly number[]): State<Note> {
    const kept = this.positions.filter((at) => passes(pathOf(at), at % PATH_STRIDE));
    return this.automaton.state([...kept, ...more.map((number) => number * PATH_STRIDE)], this.route);
  }

  /** All paths, by number, with how many of their segments are matched. */
  *matched(): Generator<readonly [path: number, matched: number]> {
    for (const position of this.positions) yield [pathOf(position), position % PATH_STRIDE];
  }

  /** The names that some of the paths, by number, look for next by segments of some kinds, in the order of the paths given. */
  nextNames(paths: readonly number[], kinds: ReadonlySet<Segment['kind']>): readonly string[] {
    const byPath = Map.groupBy(this.positions, pathOf);
    return _.uniq(
      paths.flatMap((path) =>
        (byPath.get(path) ?? []).flatMap((position) => {
          const segment = this.automaton.segmentAt(position);
          return segment && kinds.has(segment.kind) ? exactName(segment) : [];
        }),
      ),
    );
  }

  /** The successor for a property, by its name in a document; undefined if no path goes on there. */
  member(doc: Located, name: Node): State<Note> | undefined {
    const number = numberOf(doc, name);
    if (number === NO_NUMBER) return this.memberSpelt(doc, name);
    const known = this.membersIn(doc)[number];
    if (known !== undefined) return known ?? undefined;
    const state = this.memberSpelt(doc, name);
    if (state === undefined || state.isKept) this.byNumber[number] = state ?? null;
    return state;
  }

  /**
   * The successors for the names of a document that were met in it, by their numbers: null is none; undefined has to be
   * asked for ({@link member}).
   */
  membersIn(doc: Located): readonly (State<Note> | null | undefined)[] {
    if (this.serial !== doc.serial) {
      this.serial = doc.serial;
      this.byNumber = [];
    }
    return this.byNumber;
  }

  private memberSpelt(doc: Located, node: Node): State<Note> | undefined {
    const known = this.byName.get(doc, node);
    if (known !== undefined || this.isExact) return known;
    const name = stringAt(doc, node);
    const state = this.memberNamed(name);
    if (state !== undefined && this.automaton.keepsAnother()) this.keep(name, state);
    return state;
  }

  /** The successor for a property of this name. */
  memberNamed(name: string): State<Note> | undefined {
    const positions = this.positions.flatMap((position) => {
      const segment = this.automaton.segmentAt(position);
      if (segment === undefined) return [];
      if (segment.kind === 'descend') return [position];
      return matchesName(segment, name) ? [position + 1] : [];
    });
    return this.next(positions, name);
  }

  /** The successor for an element. */
  element(index: number, length: () => number): State<Note> | undefined {
    if (!this.dependsOnIndex) {
      this.everyElement ??= { state: this.nextElement(index, length, ANY_ELEMENT) };
      return this.everyElement.state;
    }
    const { routes } = this.automaton;
    if (routes === undefined) return this.nextElement(index, length, ANY_ELEMENT);
    const step = routes.elements.step(index, length);
    if (this.byElement.has(step)) return this.byElement.get(step);
    const state = this.nextElement(index, length, step);
    if (this.automaton.keepsAnother()) this.byElement.set(step, state);
    return state;
  }

  /** Whether a path goes on in elements of an array whatever their index. */
  goesOnInElements(): boolean {
    return this.segments().some(({ kind }) => kind !== 'index' && kind !== 'union');
  }

  /** The state at a record, for the state at the value that it is. */
  inRecord(): State<Note> {
    this.record ??= this.automaton.state(
      this.positions.map((at) => (this.automaton.segmentAt(at)?.kind === 'record' ? at + 1 : at)),
      this.route?.enterRecord(),
    );
    return this.record;
  }

  /** The state at an object that has no property named `#`: `#` then matches the object itself, a list of one. */
  atSoleElement(): State<Note> {
    this.soleElement ??= this.automaton.state(
      this.positions.map((position) => this.behindElements(position)),
      this.route,
    );
    return this.soleElement;
  }

  private behindElements(position: Position): Position {
    let at = position;
    while (this.automaton.segmentAt(at)?.kind === 'each') at++;
    return at;
  }

  private nextElement(index: number, length: () => number, step: Step): State<Note> | undefined {
    const positions = this.positions.flatMap((position) => {
      const segment = this.automaton.segmentAt(position);
      if (segment === undefined) return [];
      const { matches, enters } = matchElement(segment, index, length);
      return [...(matches ? [position + 1] : []), ...(enters ? [position] : [])];
    });
    return this.next(positions, step);
  }

  private next(positions: readonly Position[], step: Step): State<Note> | undefined {
    if (positions.length === 0 && this.route === undefined) return undefined;
    return this.automaton.state(positions, this.route?.to(step));
  }

  private indexNames(): void {
    const names = this.segments().flatMap((segment) => (segment.kind === 'each' ? '#' : exactName(segment)));
    for (const name of _.uniq(names)) this.keep(name, this.memberNamed(name));
  }

  private keep(name: string, state: State<Note> | undefined): void {
    this.byName.set(name, state);
    if (state) state.isKept = true;
  }

  private segments(): readonly Segment[] {
    return this.positions.flatMap((position) => this.automaton.segmentAt(position) ?? []);
  }
}

function pathOf(position: Position): number {
  return Math.floor(position / PATH_STRIDE);
}

function exactName(segment: Segment | undefined): string[] {
  return segment?.kind === 'name' || segment?.kind === 'index' ? [segment.name] : [];
}

function isExact({ kind }: Segment): boolean {
  return kind === 'name' || kind === 'index' || kind === 'each' || kind === 'record';
}
