import type { JsonDocument, Node } from '../json/document.ts';
import type { Root, RootStep } from '../records.ts';
import { lengthOf } from '../json/length.ts';
import { stateAtObject } from './sole-element.ts';
import type { State } from './state.ts';

/**
 * Follows the way from the payload to roots, one root after another. Neighbours have most of it in common: each costs its
 * last steps, and the elements of an array are counted once.
 */
export class RootStates<Note> {
  private readonly doc: JsonDocument;
  private readonly start: State<Note> | undefined;
  /** The step that was followed last as one on the way to others, and where it led. */
  private step: RootStep | undefined;
  private after: State<Note> | undefined;
  /** The array whose elements were counted last. */
  private array: Node | undefined;
  private length = (): number => 0;

  /** @param start the state at the payload */
  constructor(doc: JsonDocument, start: State<Note> | undefined) {
    this.doc = doc;
    this.start = start;
  }

  /** The state at the value that a root is; undefined if no path leads there. */
  at({ step }: Root): State<Note> | undefined {
    return step === undefined ? this.start : this.follow(step);
  }

  private follow({ before, container, name, index }: RootStep): State<Note> | undefined {
    const state = this.before(before);
    if (state === undefined) return undefined;
    if (name === undefined) return state.element(index, this.lengthIn(container));
    return stateAtObject(this.doc, container, state).member(this.doc, name);
  }

  private before(step: RootStep | undefined): State<Note> | undefined {
    if (step === undefined) return this.start;
    if (step !== this.step) {
      this.after = this.follow(step);
      this.step = step;
    }
    return this.after;
  }

  private lengthIn(array: Node): () => number {
    if (array !== this.array) this.length = lengthOf(this.doc, array);
    this.array = array;
    return this.length;
  }
}

/** How many properties lead to a root. */
export function namesTo({ step }: Root): number {
  let count = 0;
  for (let at = step; at !== undefined; at = at.before) if (at.name !== undefined) count++;
  return count;
}
