import _ from 'lodash';
import { keyIdOf, type JsonDocument, type Node } from '../json/document.ts';
import { NO_KEY_ID } from '../json/key-interner.ts';
import { stringAt } from '../json/text.ts';
import { NameClasses, NO_TEXTS, type ComparedTexts, type NameClass } from './name-classes.ts';
import { dependsOnIndex, matchElement, type Path, type Segment } from './path.ts';
import { ANY_ELEMENT, type ElementStep, type ElementSteps, type Route } from './route.ts';
import { Transitions, type Position } from './transitions.ts';

/**
 * How many states are kept; past that they are made anew when they are met, so that no payload fills the memory. When the
 * next payload comes, they are all forgotten, so that no payload makes the next one slow.
 */
const MAX_STATES = 2048;
/** How far apart the positions of one path are from the next path's. */
const PATH_STRIDE = 2 ** 13;

interface AutomatonOptions {
  /** If given, states know the route that leads to them: another route is another state. */
  readonly routes?: AutomatonRoutes | undefined;
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
export class Automaton<Note = undefined> {
  readonly routes: AutomatonOptions['routes'];
  private readonly paths: readonly Path[];
  private readonly states = new Map<string, State<Note>>();
  private kept = 0;
  private serial = -1;
  /** How many times the states were forgotten. */
  private forgotten = 0;
  private begun: State<Note> | undefined;
  private sorted: NameClasses | undefined;

  constructor(paths: readonly Path[], { routes }: AutomatonOptions = {}) {
    this.paths = paths;
    this.routes = routes;
  }

  /** The state at the value that all of the paths are relative to. */
  get start(): State<Note> {
    this.begun ??= this.startOf(this.paths.map((_path, number) => [number, 0]));
    return this.begun;
  }

  /** The state at a value that some of the paths are relative to, each with how many of its segments are matched already. */
  startOf(paths: readonly (readonly [path: number, matched: number])[]): State<Note> {
    return this.state(
      paths.map(([number, matched]) => number * PATH_STRIDE + matched),
      this.routes?.top,
    );
  }

  /** What tells names apart; made when the first name has to be looked at. */
  get classes(): NameClasses {
    const { segments = [], texts = NO_TEXTS } = this.routes ?? {};
    this.sorted ??= new NameClasses([...this.paths.flat(), ...segments], texts);
    return this.sorted;
  }

  segmentAt(position: Position): Segment | undefined {
    return this.paths[pathOf(position)]?.[position % PATH_STRIDE];
  }

  /** Whether there is room to keep one more state. */
  keepsAnother(): boolean {
    return this.kept++ < MAX_STATES;
  }

  /** How many states are kept that payloads have led to. */
  get keptStates(): number {
    return Math.min(this.kept, MAX_STATES) + this.states.size;
  }

  /**
   * Begins with a text, and forgets the states of others if no more are kept.
   *
   * @returns how many times states were forgotten: a state that knows another number has to forget too
   */
  meet(serial: number): number {
    if (serial !== this.serial) {
      this.serial = serial;
      if (this.kept >= MAX_STATES || this.states.size >= MAX_STATES) {
        this.kept = 0;
        this.states.clear();
        this.forgotten++;
      }
    }
    return this.forgotten;
  }

  /** The state of these positions, the same one for the same positions and route. */
  state(positions: readonly Position[], route: Route | undefined): State<Note> {
    const closed = this.close(positions);
    const key = route ? `${closed.join(' ')}/${route.number}` : closed.join(' ');
    const known = this.states.get(key);
    if (known) return known;
    const state = new State<Note>(this, closed, route);
    if (this.states.size < MAX_STATES) {
      this.states.set(key, state);
      state.isKept = true;
    }
    return state;
  }

  /**
   * `..` also stands for no step at all. What a path can still lead to from before its last `..` it leads to from there as
   * well, so no earlier position counts.
   */
  private close(positions: readonly Position[]): readonly Position[] {
    const closed = new Set(positions);
    /** The last `..` that each path has come to. */
    const descents = new Map<number, Position>();
    for (const position of closed) {
      if (this.segmentAt(position)?.kind !== 'descend') continue;
      closed.add(position + 1);
      const path = pathOf(position);
      descents.set(path, Math.max(position, descents.get(path) ?? 0));
    }
    const counting =
      descents.size === 0 ? [...closed] : [...closed].filter((at) => at >= (descents.get(pathOf(at)) ?? 0));
    return counting.toSorted((a, b) => a - b);
  }
}

/** How far each of an automaton's paths has come at a value. */
export class State<Note = unknown> {
  /** What whoever walks keeps at this state. */
  note: Note | undefined;
  /** The numbers of the paths that end here. */
  readonly accepts: readonly number[];
  /** What leads from the payload to here, if the automaton knows routes. */
  readonly route: Route | undefined;
  /** Whether a path goes on with `#`, which also matches an object that has no property of that name. */
  readonly awaitsElement: boolean;
  private readonly automaton: Automaton<Note>;
  private readonly positions: readonly Position[];
  private readonly transitions: Transitions;
  /** Where a property leads whose name a path writes out, if all segments do so. */
  private byName: Map<string, State<Note> | undefined> | undefined;
  /** Where a property leads, by the class of its name. */
  private byClass: Map<NameClass, State<Note> | undefined> | undefined;
  /** Where an element leads, by what of its index decides that. */
  private byElement: Map<string | number | ElementStep, State<Note> | undefined> | undefined;
  /** Where the names lead that were met in one text, by their number there; null leads nowhere. */
  private byNumber: (State<Note> | null | undefined)[] = [];
  private serial = -1;
  private forgotten = 0;
  /** Whether it is held, so that others may refer to it. */
  isKept = false;
  /** Where any element leads, once it was asked for: a box, since it may lead nowhere. */
  private everyElement: { readonly state: State<Note> | undefined } | undefined;
  /** Where any name leads that no path writes out, if none is a pattern. */
  private anyOther: { readonly state: State<Note> | undefined } | undefined;
  private readonly isExact: boolean;
  private readonly dependsOnIndex: boolean;
  private record: State<Note> | undefined;
  private soleElement: State<Note> | undefined;

  constructor(automaton: Automaton<Note>, positions: readonly Position[], route: Route | undefined) {
    this.automaton = automaton;
    this.positions = positions;
    this.route = route;
    this.accepts = positions.filter((at) => automaton.segmentAt(at) === undefined).map(pathOf);
    this.transitions = new Transitions(positions, (position) => automaton.segmentAt(position));
    const segments = this.segments();
    this.awaitsElement = route?.awaitsElement === true || segments.some(({ kind }) => kind === 'each');
    this.dependsOnIndex =
      segments.some(dependsOnIndex) || (route !== undefined && automaton.routes?.elements.matter === true);
    this.isExact = route === undefined && segments.every(isExact);
  }

  /** The paths that are not matched yet, by number, with how many of their segments are. */
  *pending(): Generator<readonly [path: number, matched: number]> {
    for (const position of this.positions) {
      if (this.automaton.segmentAt(position) !== undefined) yield [pathOf(position), position % PATH_STRIDE];
    }
  }

  /** All paths, by number, with how many of their segments are matched. */
  *matched(): Generator<readonly [path: number, matched: number]> {
    for (const position of this.positions) yield [pathOf(position), position % PATH_STRIDE];
  }

  /** The same state with other paths: those that pass, and more of which nothing is matched. */
  with(
    passes: (path: number, matched: number) => boolean,
    more: readonly number[],
    route = this.route,
  ): State<Note> {
    const kept = this.positions.filter((at) => passes(pathOf(at), at % PATH_STRIDE));
    return this.automaton.state([...kept, ...more.map((number) => number * PATH_STRIDE)], route);
  }

  /**
   * The names that some of the automaton's paths look for next by segments of some kinds.
   *
   * @param ranks the numbers of the paths, each with its place in the order in which the names are wanted
   */
  nextNames(ranks: ReadonlyMap<number, number>, kinds: ReadonlySet<Segment['kind']>): readonly string[] {
    const wanted = this.positions.filter((position) => ranks.has(pathOf(position)));
    const inOrder = _.sortBy(wanted, (position) => ranks.get(pathOf(position)));
    return _.uniq(
      inOrder.flatMap((position) => {
        const segment = this.automaton.segmentAt(position);
        return segment && kinds.has(segment.kind) ? exactName(segment) : [];
      }),
    );
  }

  /** Where a property leads, its name standing in a text; undefined where no path goes on there. */
  member(doc: JsonDocument, name: Node): State<Note> | undefined {
    const number = keyIdOf(doc, name);
    if (number === NO_KEY_ID) return this.memberSpelt(doc, name);
    const known = this.membersIn(doc)[number];
    if (known !== undefined) return known ?? undefined;
    const state = this.memberSpelt(doc, name);
    if (state === undefined || state.isKept) this.byNumber[number] = state ?? null;
    return state;
  }

  /**
   * Where the names of a text lead that were met in it, by their numbers: null is nowhere; what is undefined has to be asked
   * for ({@link member}).
   */
  membersIn(doc: JsonDocument): readonly (State<Note> | null | undefined)[] {
    if (this.serial !== doc.serial) this.begin(doc.serial);
    return this.byNumber;
  }

  private begin(serial: number): void {
    this.serial = serial;
    this.byNumber = [];
    const forgotten = this.automaton.meet(serial);
    if (forgotten === this.forgotten) return;
    this.forgotten = forgotten;
    this.record = undefined;
    this.soleElement = undefined;
    this.everyElement = undefined;
    this.anyOther = undefined;
    this.byElement = undefined;
    this.byClass = undefined;
  }

  private memberSpelt(doc: JsonDocument, node: Node): State<Note> | undefined {
    if (this.isExact) {
      const name = this.transitions.nameAt(doc, node);
      return name === undefined ? undefined : this.memberWritten(name);
    }
    if (this.route === undefined && !this.transitions.hasPatterns) return this.memberListed(doc, node);
    return this.memberNamed(stringAt(doc, node));
  }

  /** No pattern has to see the name: those that paths write out are told apart, all others lead to the same state. */
  private memberListed(doc: JsonDocument, node: Node): State<Note> | undefined {
    const name = this.transitions.nameAt(doc, node);
    if (name !== undefined) return this.memberNamed(name);
    this.anyOther ??= { state: this.next(this.transitions.always, undefined) };
    return this.anyOther.state;
  }

  /** Where a property of this name leads. */
  memberNamed(name: string): State<Note> | undefined {
    if (this.isExact) return this.memberWritten(name);
    const { automaton } = this;
    const like = automaton.classes.of(name);
    this.byClass ??= new Map();
    const known = this.byClass.get(like);
    if (known !== undefined || this.byClass.has(like)) return known;
    const state = this.next(this.transitions.behind(name), this.route?.to(name, like));
    if (automaton.keepsAnother()) {
      this.byClass.set(like, state);
      if (state) state.isKept = true;
    }
    return state;
  }

  /** Where an element leads. */
  element(index: number, length: () => number): State<Note> | undefined {
    if (this.dependsOnIndex) return this.elementAt(index, length);
    this.everyElement ??= { state: this.nextElement(index, length, ANY_ELEMENT) };
    return this.everyElement.state;
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
      this.route?.atSoleElement(),
    );
    return this.soleElement;
  }

  private behindElements(position: Position): Position {
    let at = position;
    while (this.automaton.segmentAt(at)?.kind === 'each') at++;
    return at;
  }

  private elementAt(index: number, length: () => number): State<Note> | undefined {
    const { routes } = this.automaton;
    const step = this.route && routes ? routes.elements.step(index, length) : undefined;
    const outcome = step ?? this.transitions.outcomeAt(index, length);
    this.byElement ??= new Map();
    const known = this.byElement.get(outcome);
    if (known !== undefined || this.byElement.has(outcome)) return known;
    const state = this.nextElement(index, length, step ?? ANY_ELEMENT);
    const isKept = step === undefined ? state === undefined || state.isKept : this.automaton.keepsAnother();
    if (isKept) this.byElement.set(outcome, state);
    return state;
  }

  private nextElement(index: number, length: () => number, step: ElementStep): State<Note> | undefined {
    const positions = this.positions.flatMap((position) => {
      const segment = this.automaton.segmentAt(position);
      if (segment === undefined) return [];
      const { matches, enters } = matchElement(segment, index, length);
      return [...(matches ? [position + 1] : []), ...(enters ? [position] : [])];
    });
    return this.next(positions, this.route?.to(step, step));
  }

  private next(positions: readonly Position[], route: Route | undefined): State<Note> | undefined {
    if (positions.length === 0 && route === undefined) return undefined;
    return this.automaton.state(positions, route);
  }

  /** Made when the name is met first: a payload has few of the names that a decision may have. */
  private memberWritten(name: string): State<Note> | undefined {
    this.byName ??= new Map();
    const known = this.byName.get(name);
    if (known) return known;
    const state = this.next(this.transitions.behind(name), undefined);
    if (state) state.isKept = true;
    this.byName.set(name, state);
    return state;
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
