import { after, endOf, firstIn, Kind, type JsonDocument, type Node } from '../json/document.ts';
import { ElementStates } from '../paths/element-states.ts';
import type { Creation, PlanState, StatePlan } from '../plan/plan.ts';
import type { FixedChange } from '../plan/step.ts';
import type { Root } from '../roots.ts';
import type { Inherited } from './inherited.ts';
import { VALUE_WORDS, type Pace } from './pace.ts';

// What is exported is looked up each time, what is not is a constant in compiled code.
const OBJECT = Kind.object;
const ARRAY = Kind.array;
const NULL = Kind.null;

/** How much of elements counts as done at once, in words of the tape. */
const WORDS_AT_ONCE = 256;

/** Of which records the same becomes, if they follow one another. */
export interface Runs {
  /** What becomes of scalars; undefined if they have to be walked one by one. */
  readonly scalars: FixedChange | undefined;
  /** What each `{}` lacks; the same. */
  readonly empty: readonly Creation[] | undefined;
}
export const NO_RUNS: Runs = { scalars: undefined, empty: undefined };

/** Walks single elements of arrays above records. */
export interface ElementWalker {
  /** Whether the records in arrays in an array are walked as those in itself, however deep, and all stay. */
  isFlat(every: PlanState | undefined, from: Inherited): boolean;
  /** @returns whether the element stays */
  element(
    node: Node,
    kind: number,
    root: Root,
    state: PlanState | undefined,
    from: Inherited,
    next: number,
  ): boolean;
  /** Which records of an array that is flat may be walked together. */
  runsIn(every: PlanState | undefined, from: Inherited): Runs;
  /**
   * Walks records that follow one another together.
   *
   * @param first a scalar or `{}`
   * @param stop the node after the array
   * @returns the element after those that were walked, which may be the first
   */
  run(first: Node, stop: Node, root: Root, runs: Runs): Node;
  /** Passes a record that no path leads to. */
  pass(): void;
  cut(element: Node, next: number, isLeading: boolean, isLast: boolean): void;
}

/** Walks the elements of arrays above records. An array in an array is walked without an object for it: there may be millions. */
export class ElementWalk {
  private readonly walker: ElementWalker;
  private readonly pace: Pace;
  private readonly doc: JsonDocument;

  constructor(walker: ElementWalker, pace: Pace, doc: JsonDocument) {
    this.walker = walker;
    this.pace = pace;
    this.doc = doc;
  }

  /**
   * Walks until all are walked or the step is over.
   *
   * @param from what the elements inherit
   */
  walk(array: Node, root: Root, state: PlanState | undefined, from: Inherited): void {
    const first = firstIn(array);
    const states = state?.isIndexed === true ? new ElementStates(state, this.doc, array) : undefined;
    const every = states === undefined ? state?.anyElement() : undefined;
    if (states === undefined && this.walker.isFlat(every, from))
      this.flat(array, root, every, from, first, array);
    else this.each(array, root, states, every, from, first, 0, false);
  }

  /**
   * Walks elements one by one.
   *
   * @param states where each leads, if that depends on its index
   * @param every otherwise, where all of them lead
   * @param element the next one
   * @param keepsAny whether any before it stays
   */
  private each(
    array: Node,
    root: Root,
    states: ElementStates<StatePlan> | undefined,
    every: PlanState | undefined,
    from: Inherited,
    element: Node,
    index: number,
    keepsAny: boolean,
  ): void {
    const { walker, pace, doc } = this;
    const { tape } = doc;
    const stop = after(doc, array);
    let words = 0;
    while (element < stop && !pace.isOver) {
      const kind = tape[element]! & 7;
      const following = kind >= OBJECT ? tape[element + 1]! : element + 1;
      const next = following < stop ? tape[following]! >>> 3 : tape[array + 2]!;
      const at = states === undefined ? every : states.at(index);
      if (walker.element(element, kind, root, at, from, next)) keepsAny = true;
      else walker.cut(element, next, !keepsAny, following === stop);
      // An array in it has spent what its own elements took.
      words += kind === ARRAY ? VALUE_WORDS : following - element + VALUE_WORDS;
      if (words >= WORDS_AT_ONCE) {
        pace.spend(words);
        words = 0;
      }
      index++;
      element = following;
    }
    if (words > 0) pace.spend(words);
    if (pace.isOver && element < stop)
      this.eachLater(array, root, states, every, from, element, index, keepsAny);
  }

  /** By itself, so that what runs for each array makes no closure. */
  private eachLater(...rest: Parameters<ElementWalk['each']>): void {
    this.pace.later(() => this.each(...rest));
  }

  /**
   * Walks the records in an array and in the arrays in it.
   *
   * @param every where all of them lead
   * @param element the next one
   * @param inner where the array in this one ends that was entered last
   */
  private flat(
    array: Node,
    root: Root,
    every: PlanState | undefined,
    from: Inherited,
    element: Node,
    inner: Node,
  ): void {
    const { walker, pace, doc } = this;
    const { tape } = doc;
    const stop = after(doc, array);
    let runs: Runs | undefined;
    let words = 0;
    while (element < stop && !pace.isOver) {
      const kind = tape[element]! & 7;
      if (kind === ARRAY) {
        inner = Math.max(inner, tape[element + 1]!);
        pace.spend(firstIn(element) - element);
        element = firstIn(element);
        continue;
      }
      const following = kind === OBJECT ? tape[element + 1]! : element + 1;
      if (kind < NULL || following === firstIn(element)) {
        runs ??= walker.runsIn(every, from);
        const next = walker.run(element, stop, root, runs);
        if (next > element) {
          pace.spend(next - element);
          element = next;
          continue;
        }
      }
      if (every === undefined) walker.pass();
      else {
        const isLast = following === stop;
        const next =
          element < inner ? endOf(doc, element) : isLast ? tape[array + 2]! : tape[following]! >>> 3;
        walker.element(element, kind, root, every, from, next);
      }
      words += following - element + VALUE_WORDS;
      if (words >= WORDS_AT_ONCE) {
        pace.spend(words);
        words = 0;
      }
      element = following;
    }
    if (words > 0) pace.spend(words);
    if (pace.isOver && element < stop) this.flatLater(array, root, every, from, element, inner);
  }

  /** The same. */
  private flatLater(...rest: Parameters<ElementWalk['flat']>): void {
    this.pace.later(() => this.flat(...rest));
  }
}
