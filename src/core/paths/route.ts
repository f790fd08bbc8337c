import type { NameClass } from './name-classes.ts';

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
  /** The names and indexes that may come right before the next name in the text of a path, as far as it may then be a fraction. */
  readonly before: readonly string[];
  /** The same place, as an object that has no property named `#`. */
  atSoleElement(): Route;
  /** The same place, as a root. */
  atRoot(): Route;
  /** The same place, as that of a record. */
  enterRecord(): Route;
}
