import type { NameClass } from './name-classes.ts';
import { matchElement, type Segment } from './path.ts';

/** An element on a route. Elements that make no difference to any path share one step. */
export interface ElementStep {
  readonly index: number;
  /** How many elements its array has. */
  readonly length: number;
}

/** A step from a value to one inside it: a property name or an element. */
export type Step = string | ElementStep;

/** An element whose index no path asks for. */
export const ANY_ELEMENT: ElementStep = { index: NaN, length: NaN };

/** What is known of the way from the payload to a value. Ways that no path distinguishes share one route. */
export interface Route {
  /** Another one for each route that goes on in other ways. */
  readonly number: number;
  /** @param like the step, or the class of its name: steps for which it is the same go on alike */
  to(step: Step, like: NameClass | ElementStep): Route;
  /** Whether `#` is next on any way, which also matches an object that has no property of that name. */
  readonly awaitsElement: boolean;
  /** The same place, as an object that has no property named `#`. */
  atSoleElement(): Route;
  /**
   * The same place, as a root.
   *
   * @param names how many properties lead to it
   */
  atRoot(names: number): Route;
  /** The same place, as that of a record. */
  enterRecord(): Route;
}

/** How many steps are kept, so that no payload fills the memory. */
const MAX_KNOWN = 2048;

/** Distinguishes elements as far as some segments do, so that routes through equal elements are one route. */
export class ElementSteps {
  /** Whether any path distinguishes elements. */
  readonly matter: boolean;
  private readonly known = new Map<string, ElementStep>();
  private readonly indexes: ReadonlySet<number>;
  /** The segments that select elements in other ways than by an index from the start. */
  private readonly others: readonly Segment[];
  private readonly all: boolean;

  /**
   * @param segments those that select elements by their index
   * @param all whether each element has a step of its own, whatever the segments say
   */
  constructor(segments: readonly Segment[], all: boolean) {
    const fromStart = segments.map((segment) => (segment.kind === 'index' ? segment.index : -1));
    this.indexes = new Set(fromStart.filter((index) => index >= 0));
    this.others = segments.filter((_segment, at) => (fromStart[at] ?? -1) < 0);
    this.all = all;
    this.matter = all || segments.length > 0;
  }

  step(index: number, length: () => number): ElementStep {
    if (!this.isToldApart(index, length)) return ANY_ELEMENT;
    const step = { index, length: this.others.length > 0 ? length() : NaN };
    const key = `${step.index}/${step.length}`;
    const known = this.known.get(key);
    if (known === undefined && this.known.size < MAX_KNOWN) this.known.set(key, step);
    return known ?? step;
  }

  private isToldApart(index: number, length: () => number): boolean {
    if (this.all || this.indexes.has(index)) return true;
    return this.others.some((segment) => matchElement(segment, index, length).matches);
  }
}
