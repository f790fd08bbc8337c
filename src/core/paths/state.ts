import { keyIdOf, type JsonDocument, type Node } from '../json/document.ts';
import { NO_KEY_ID } from '../json/key-interner.ts';
import { stringAt } from '../json/text.ts';
import type { Automaton } from './automaton.ts';
import type { IndexClasses } from './index-classes.ts';
import type { JoinedClasses } from './joined-classes.ts';
import type { NameClass } from './name-classes.ts';
import { isPlain } from './plain-paths.ts';
import { merged, placeAt, type Paths } from './positions.ts';
import { pathOf, PATH_STRIDE, type Position } from './position.ts';
import type { PositionSet, Reach } from './position-set.ts';
import { ANY_ELEMENT, type ElementStep, type Route } from './route.ts';
import { UNSORTED } from './selection-sets.ts';
import type { WildcardSet } from './wildcard-set.ts';

/** The classes of the elements of an array. */
export interface ElementClasses {
  /** The same number for elements that lead to the same state, or `UNSORTED`. */
  at(index: number): number;
}

/**
 * How far each of an automaton's paths has come at a value.
 *
 * What is asked for at each value has no closures in it: a function with one allocates its scope each time, whether it comes to
 * the closure or not.
 */
export class State<Note = unknown> {
  /** What a user of the automaton keeps at this state. */
  note: Note | undefined;
  /** The next one of the same hash, among the states of the automaton. */
  alike: State<Note> | undefined;
  /** The numbers of the paths that end here. */
  readonly accepts: readonly number[];
  /** The places of the plain paths that end here; the same one may be there for several readings. */
  readonly plainEnds: readonly number[];
  /** What leads from the payload to here, if the automaton knows routes. */
  readonly route: Route | undefined;
  /** Whether a path goes on with `#`, which also matches an object that has no property of that name. */
  readonly awaitsElement: boolean;
  /** How far the paths have come: those that many states have in common, and its own. */
  readonly sets: readonly PositionSet[];
  private readonly automaton: Automaton<Note>;
  private sorted: IndexClasses | JoinedClasses | undefined;
  /** Where a property leads whose name a path writes out, if all segments do so. */
  private byName: Map<string, State<Note> | undefined> | undefined;
  /** Where a property leads, by the class of its name; null leads nowhere. */
  private byClass: Map<NameClass, State<Note> | null> | undefined;
  /** Where an element leads by the step to it, if routes distinguish elements. */
  private byElement: Map<ElementStep, State<Note> | undefined> | undefined;
  /** The element that was asked for last, and where it leads. */
  private latestStep: ElementStep | undefined;
  private afterLatestStep: State<Note> | undefined;
  /** Otherwise, by the class of its index; null leads nowhere. */
  private byIndexClass: (State<Note> | null | undefined)[] = [];
  /** Where the names lead that were met in texts of one generation, by their numbers; null leads nowhere. */
  private byNumber: (State<Note> | null | undefined)[] = [];
  /** The same for names of properties with nothing in them, if these may lead elsewhere. */
  private lastByNumber: (State<Note> | null | undefined)[] = [];
  readonly tellsLast: boolean;
  private generation = -1;
  private serial = -1;
  private forgotten = 0;
  /** Whether it is held, so that others may refer to it. */
  isKept = false;
  /** Where any element leads, once it was asked for: a box, since it may lead nowhere. */
  private everyElement: { readonly state: State<Note> | undefined } | undefined;
  /** Where a name leads that no path writes out, by the patterns that cover it. */
  private byPatterns: Map<number, State<Note> | undefined> | undefined;
  private readonly isExact: boolean;
  /** Whether it depends on the index of an element where that leads. */
  readonly isIndexed: boolean;
  private record: State<Note> | undefined;
  private soleElement: State<Note> | undefined;

  constructor(automaton: Automaton<Note>, sets: readonly PositionSet[], route: Route | undefined) {
    this.automaton = automaton;
    this.sets = sets;
    this.route = route;
    let ends: readonly Position[] = NO_POSITIONS;
    let awaitsElement = route?.awaitsElement === true;
    let isIndexed = route !== undefined && automaton.routes?.elements.matter === true;
    let isExact = route === undefined;
    for (const { reached } of sets) {
      ends = ends.length === 0 ? reached.ends : merged(ends, reached.ends);
      awaitsElement ||= reached.awaitsElement;
      isIndexed ||= reached.isIndexed;
      isExact &&= reached.isExact;
    }
    this.accepts = ends.length === 0 ? NO_PATHS : acceptsOf(ends);
    this.plainEnds = ends.length === 0 ? NO_PATHS : plainEndsOf(automaton, ends);
    this.awaitsElement = awaitsElement;
    this.isIndexed = isIndexed;
    this.isExact = isExact;
    this.tellsLast = route !== undefined && automaton.routes?.texts.typed !== undefined;
  }

  isOf(sets: readonly PositionSet[], route: Route | undefined): boolean {
    if (this.sets.length !== sets.length || this.route?.number !== route?.number) return false;
    for (let at = 0; at < sets.length; at++) if (this.sets[at] !== sets[at]) return false;
    return true;
  }

  /** Whether it is a state of an automaton. */
  isIn(automaton: Automaton<Note>): boolean {
    return this.automaton === automaton;
  }

  /** The paths that are not matched yet, by number, with how many of their segments are. */
  *pending(): Generator<readonly [path: number, matched: number]> {
    for (const position of this.sets.flatMap(({ positions }) => positions)) {
      if (!isPlain(position) && this.automaton.segmentAt(position) !== undefined)
        yield [pathOf(position), position % PATH_STRIDE];
    }
  }

  /**
   * The same state at a root: a path with a wildcard that ends there does not name it.
   *
   * @param begun the positions of paths that begin at it
   */
  atRoot(begun?: PositionSet): State<Note> {
    const sets = this.sets.map((set) => set.atRoot());
    return this.automaton.stateOf(begun ? [...sets, begun] : sets, NO_POSITIONS, this.route?.atRoot());
  }

  /** The same state without the paths that end here. */
  withoutEnds(): State<Note> {
    return this.automaton.stateOf(
      this.sets.map((set) => set.withoutEnds()),
      NO_POSITIONS,
      this.route,
    );
  }

  /**
   * Where the property leads whose name is at a node; undefined if no path goes on there.
   *
   * @param isLast whether nothing in the property has a name that may be the fraction of a number or an instant: the state is then not
   *   asked where such a name leads
   */
  member(doc: JsonDocument, name: Node, isLast = false): State<Note> | undefined {
    const number = keyIdOf(doc, name);
    if (number === NO_KEY_ID) return this.memberSpelt(doc, name, isLast);
    const known = this.membersIn(doc)[number];
    if (known !== undefined) return known ?? undefined;
    const states = isLast && this.tellsLast ? this.lastByNumber : this.byNumber;
    const before = states[number];
    if (before !== undefined) return before ?? undefined;
    const state = this.memberSpelt(doc, name, states === this.lastByNumber);
    if (state === undefined || state.isKept) states[number] = state ?? null;
    return state;
  }

  /**
   * Where the names of a text lead, by their numbers: null is nowhere; what is undefined has to be asked for ({@link member}).
   */
  membersIn(doc: JsonDocument): readonly (State<Note> | null | undefined)[] {
    if (this.serial !== doc.serial) this.begin(doc);
    return this.byNumber;
  }

  private begin({ serial, generation }: JsonDocument): void {
    this.serial = serial;
    if (generation !== this.generation) this.forgetNumbers();
    this.generation = generation;
    const forgotten = this.automaton.meet(serial);
    if (forgotten === this.forgotten) return;
    this.forgotten = forgotten;
    this.forget();
  }

  /** Lets go of all other states. */
  forget(): void {
    this.forgetNumbers();
    this.record = undefined;
    this.soleElement = undefined;
    this.everyElement = undefined;
    this.byPatterns = undefined;
    this.byElement = undefined;
    this.latestStep = undefined;
    this.afterLatestStep = undefined;
    this.byIndexClass = [];
    this.byClass = undefined;
  }

  private forgetNumbers(): void {
    this.byNumber = [];
    this.lastByNumber = [];
  }

  private memberSpelt(doc: JsonDocument, node: Node, isLast: boolean): State<Note> | undefined {
    if (this.isExact) {
      const name = this.nameAt(doc, node);
      return name === undefined ? undefined : this.memberWritten(name);
    }
    const [only] = this.sets;
    const isSole = this.route === undefined && this.sets.length === 1;
    if (isSole && only?.transitions.comparesOneByOne(doc, node))
      return this.memberByPatterns(only, doc, node);
    const like = this.automaton.classes.at(doc, node, this.route?.before, isLast);
    const known = this.byClass?.get(like);
    return known === undefined ? this.addMember(like, stringAt(doc, node)) : (known ?? undefined);
  }

  /** A name in a text, if any path writes it out here. */
  private nameAt(doc: JsonDocument, node: Node): string | undefined {
    for (const { transitions } of this.sets) {
      const name = transitions.nameAt(doc, node);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** The name need not be decoded: names that paths write out are compared as bytes, all others by the patterns that cover them. */
  private memberByPatterns(set: PositionSet, doc: JsonDocument, node: Node): State<Note> | undefined {
    const { automaton } = this;
    const name = set.transitions.nameAt(doc, node);
    if (name !== undefined) return this.memberNamed(name);
    const covering = set.transitions.patternsAt(doc, node);
    const known = this.byPatterns?.get(covering);
    if (known !== undefined || this.byPatterns?.has(covering) === true) return known;
    const reach: Reach = { sets: [], positions: [] };
    set.followPatterns(covering, reach);
    const state = this.next(reach, undefined);
    if (automaton.keepsAnother(this)) {
      this.byPatterns ??= new Map();
      this.byPatterns.set(covering, state);
      if (state) state.isKept = true;
    }
    return state;
  }

  /** Where a property of this name leads. */
  memberNamed(name: string): State<Note> | undefined {
    if (this.isExact) {
      const isWritten = this.sets.some(({ transitions }) => transitions.isWrittenOut(name));
      return isWritten ? this.memberWritten(name) : undefined;
    }
    const like = this.automaton.classes.of(name, this.route?.before);
    const known = this.byClass?.get(like);
    return known === undefined ? this.addMember(like, name) : (known ?? undefined);
  }

  private addMember(like: NameClass, name: string): State<Note> | undefined {
    const state = this.next(this.reachOf(name), this.route?.to(name, like));
    if (this.automaton.keepsAnother(this)) {
      this.byClass ??= new Map();
      this.byClass.set(like, state ?? null);
      if (state) state.isKept = true;
    }
    return state;
  }

  /** Where an element leads. @param index NaN if no path asks for it */
  element(index: number, length: () => number): State<Note> | undefined {
    if (!this.isIndexed) return this.anyElement();
    const like = Number.isNaN(index) ? 0 : this.classes.classOf(index, length);
    return this.elementOf(like, index, length);
  }

  /** Where every element leads, if the index does not matter. */
  anyElement(): State<Note> | undefined {
    this.everyElement ??= { state: this.nextElement(0, NO_LENGTH, ANY_ELEMENT) };
    return this.everyElement.state;
  }

  /** The classes of the elements of an array that lead to the same state. */
  classesIn(length: () => number): ElementClasses {
    return this.classes.inArray(length);
  }

  private get classes(): IndexClasses | JoinedClasses {
    const steps = this.route && this.automaton.routes?.elements;
    if (steps) return steps.classes;
    this.sorted ??= this.sortElements();
    return this.sorted;
  }

  private sortElements(): IndexClasses | JoinedClasses {
    const sorts = this.sets
      .filter(({ reached }) => reached.isIndexed)
      .map(({ elements }) => elements.classes);
    const [only, ...others] = sorts;
    return only !== undefined && others.length === 0 ? only : this.automaton.joinedClassesOf(sorts);
  }

  /** Where the elements of a class lead, of which one has this index, if the index matters. */
  elementOf(like: number, index: number, length: () => number): State<Note> | undefined {
    const elements = this.route && this.automaton.routes?.elements;
    if (elements) return this.elementBy(elements.stepOf(like, index, length), index, length);
    if (like === UNSORTED) return this.nextElement(index, length, ANY_ELEMENT);
    const known = this.byIndexClass[like];
    if (known !== undefined) return known ?? undefined;
    const state = this.nextElement(index, length, ANY_ELEMENT);
    if (this.automaton.keepsAnother(this)) this.byIndexClass[like] = state ?? null;
    return state;
  }

  /** The state at a record, for the state at the value that it is. */
  inRecord(): State<Note> {
    this.record ??= this.makeInRecord();
    return this.record;
  }

  private makeInRecord(): State<Note> {
    const sets = this.sets.map((set) => set.inRecord());
    return this.automaton.stateOf(sets, NO_POSITIONS, this.route?.enterRecord());
  }

  /** The state at an object that has no property named `#`: `#` then matches the object itself, a list of one. */
  atSoleElement(): State<Note> {
    this.soleElement ??= this.makeAtSoleElement();
    return this.soleElement;
  }

  private makeAtSoleElement(): State<Note> {
    const sets = this.sets.map((set) => set.atSoleElement());
    return this.automaton.stateOf(sets, NO_POSITIONS, this.route?.atSoleElement());
  }

  /** Where elements lead that routes do not distinguish, of which one has this index. */
  private elementBy(step: ElementStep, index: number, length: () => number): State<Note> | undefined {
    if (step === this.latestStep) return this.afterLatestStep;
    const known = this.byElement?.get(step);
    const state = known ?? this.nextElement(index, length, step);
    if (known === undefined && this.automaton.keepsAnother(this)) {
      this.byElement ??= new Map();
      this.byElement.set(step, state);
    }
    this.latestStep = step;
    this.afterLatestStep = state;
    return state;
  }

  private nextElement(index: number, length: () => number, step: ElementStep): State<Note> | undefined {
    const reach: Reach = { sets: [], positions: [] };
    for (const set of this.sets) set.followElement(index, length, reach);
    return this.next(reach, this.route?.to(step, step));
  }

  private next({ sets, positions }: Reach, route: Route | undefined): State<Note> | undefined {
    if (sets.length === 0 && positions.length === 0 && route === undefined) return undefined;
    return this.automaton.stateOf(sets, positions, route);
  }

  /** Made when the name is met first: a payload has few of the names that a decision may have. */
  private memberWritten(name: string): State<Note> | undefined {
    this.byName ??= new Map();
    const known = this.byName.get(name);
    if (known) return known;
    const state = this.next(this.reachOf(name), undefined);
    if (state) state.isKept = true;
    this.byName.set(name, state);
    return state;
  }

  private reachOf(name: string): Reach {
    const reach: Reach = { sets: [], positions: [] };
    const wildcards = (): WildcardSet | undefined => this.automaton.classes.wildcards;
    for (const set of this.sets) set.follow(name, wildcards, reach);
    return reach;
  }
}

const NO_POSITIONS: readonly Position[] = [];
const NO_PATHS: readonly number[] = [];

function acceptsOf(ends: readonly Position[]): readonly number[] {
  return ends.filter((position) => !isPlain(position)).map(pathOf);
}

function plainEndsOf(paths: Paths, ends: readonly Position[]): readonly number[] {
  return ends.flatMap((position) => (isPlain(position) ? (placeAt(paths, position) ?? []) : []));
}

/** The length of an array of which it does not matter. */
const NO_LENGTH = (): number => 0;
