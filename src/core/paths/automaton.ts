import _ from 'lodash';
import { numberOf, type Located, type Node } from '../json/located.ts';
import { NO_NUMBER } from '../json/names.ts';
import { stringAt } from '../json/text.ts';
import { NameIndex } from './name-index.ts';
import { dependsOnIndex, matchElement, matchesName, type Path, type Segment } from './path.ts';

/** Stands for a level of array in the names that lead to a value. */
export const ELEMENT: unique symbol = Symbol('element');
export type Step = string | typeof ELEMENT;

/** How many states are kept; past that they are made anew where they are met, so that no payload fills the memory. */
const MAX_STATES = 2048;
/** How far apart the positions of one path are from the next path's. */
const PATH_STRIDE = 2 ** 13;

/** A place within a path: the path's number and how many of its segments are behind. */
type Position = number;

/**
 * Many paths compiled into one automaton, so that a value is visited once whatever the number of paths. Its states are
 * made when a value first leads there.
 */
export class Automaton<Note = undefined> {
  /** The state at the value that the paths are relative to. */
  readonly start: State<Note>;
  /** Whether states tell the names that lead to them from the record on; each path of names is then a state of its own. */
  readonly tellsSteps: boolean;
  private readonly paths: readonly Path[];
  private readonly states = new Map<string, State<Note>>();
  private kept = 0;

  constructor(paths: readonly Path[], { tellsSteps = false } = {}) {
    this.paths = paths;
    this.tellsSteps = tellsSteps;
    this.start = this.state(
      paths.map((_path, number) => number * PATH_STRIDE),
      undefined,
    );
  }

  segmentAt(position: Position): Segment | undefined {
    return this.paths[pathOf(position)]?.[position % PATH_STRIDE];
  }

  /** Whether there is room to keep one more state. */
  keepsAnother(): boolean {
    return this.kept++ < MAX_STATES;
  }

  /** The state of these positions, the same one for the same positions unless states tell their steps. */
  state(positions: readonly Position[], steps: readonly Step[] | undefined): State<Note> {
    const closed = this.close(positions);
    if (steps) return new State<Note>(this, closed, steps);
    const key = closed.join(' ');
    const known = this.states.get(key);
    if (known) return known;
    const state = new State<Note>(this, closed, undefined);
    if (this.states.size < MAX_STATES) this.states.set(key, state);
    return state;
  }

  /** `..` also stands for no step at all. */
  private close(positions: readonly Position[]): readonly Position[] {
    const closed = new Set(positions);
    for (const position of closed) if (this.segmentAt(position)?.kind === 'descend') closed.add(position + 1);
    return _.sortBy([...closed]);
  }
}

/** How far each of an automaton's paths has come at a value. */
export class State<Note = unknown> {
  /** What whoever walks keeps at this state. */
  note: Note | undefined;
  /** The numbers of the paths that end here. */
  readonly accepts: readonly number[];
  /** The names from the record to here, where the automaton tells them and this is in a record. */
  readonly steps: readonly Step[] | undefined;
  private readonly automaton: Automaton<Note>;
  private readonly positions: readonly Position[];
  private readonly byName = new NameIndex<State<Note> | undefined>();
  /** Where the names lead that were met in one text, by their number there; null leads nowhere. */
  private byNumber: (State<Note> | null | undefined)[] = [];
  private serial = -1;
  /** Whether it is held by the state before it. */
  private isKept = false;
  /** Where any element leads, once it was asked for: a box, since it may lead nowhere. */
  private everyElement: { readonly state: State<Note> | undefined } | undefined;
  private readonly isExact: boolean;
  private readonly dependsOnIndex: boolean;
  private record: State<Note> | undefined;

  constructor(
    automaton: Automaton<Note>,
    positions: readonly Position[],
    steps: readonly Step[] | undefined,
  ) {
    this.automaton = automaton;
    this.positions = positions;
    this.steps = steps;
    this.accepts = positions.filter((at) => automaton.segmentAt(at) === undefined).map(pathOf);
    this.dependsOnIndex = this.segments().some(dependsOnIndex);
    this.isExact = steps === undefined && this.segments().every(isExact);
    if (this.isExact) this.indexNames();
  }

  /** The names that some of the automaton's paths, by number, look for next, in the order of the paths given. */
  nextNames(paths: readonly number[]): readonly string[] {
    const byPath = new Map(this.positions.map((position) => [pathOf(position), position]));
    return _.uniq(paths.flatMap((path) => exactName(this.automaton.segmentAt(byPath.get(path) ?? -1))));
  }

  /** Where a property leads, its name standing in a text; undefined where no path goes on there. */
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
   * Where the names of a text lead that were met in it, by their numbers: null is nowhere; what is undefined has to be asked
   * for ({@link member}).
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

  /** Where a property of this name leads. */
  memberNamed(name: string): State<Note> | undefined {
    const positions = this.positions.flatMap((position) => {
      const segment = this.automaton.segmentAt(position);
      if (segment === undefined) return [];
      if (segment.kind === 'descend') return [position];
      return matchesName(segment, name) ? [position + 1] : [];
    });
    return this.next(positions, name);
  }

  /** Where an element leads. */
  element(index: number, length: () => number): State<Note> | undefined {
    if (this.dependsOnIndex) return this.nextElement(index, length);
    this.everyElement ??= { state: this.nextElement(index, length) };
    return this.everyElement.state;
  }

  /** The state of a record, for the state at the object that it is. */
  inRecord(): State<Note> {
    this.record ??= this.automaton.state(
      this.positions.map((at) => (this.automaton.segmentAt(at)?.kind === 'record' ? at + 1 : at)),
      this.automaton.tellsSteps ? [] : undefined,
    );
    return this.record;
  }

  private nextElement(index: number, length: () => number): State<Note> | undefined {
    const positions = this.positions.flatMap((position) => {
      const segment = this.automaton.segmentAt(position);
      if (segment === undefined) return [];
      const { matches, enters } = matchElement(segment, index, length);
      return [...(matches ? [position + 1] : []), ...(enters ? [position] : [])];
    });
    return this.next(positions, ELEMENT);
  }

  private next(positions: readonly Position[], step: Step): State<Note> | undefined {
    if (positions.length === 0 && this.steps === undefined) return undefined;
    return this.automaton.state(positions, this.steps && [...this.steps, step]);
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
