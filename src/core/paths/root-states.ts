import type { JsonDocument, Node } from '../json/document.ts';
import { NO_STEP, type Root, type RootList, type RootStep } from '../roots.ts';
import { ElementStates } from './element-states.ts';
import { stateAtObject } from './sole-element.ts';
import type { State } from './state.ts';

/**
 * Follows the way from the payload to roots, one root after another. Neighbours have most of it in common: each costs its
 * last steps, and the elements of an array are counted once.
 */
export class RootStates<Note> {
  private readonly doc: JsonDocument;
  private readonly roots: RootList;
  private readonly start: State<Note> | undefined;
  /** The step that was followed last as one on the way to others, and where it led. */
  private step: RootStep = NO_STEP;
  private after: State<Note> | undefined;
  /** The array whose elements were looked at last, and the state there. */
  private array: Node | undefined;
  private inArray: State<Note> | undefined;
  private elements: ElementStates<Note> | undefined;

  /** @param start the state at the payload */
  constructor(doc: JsonDocument, roots: RootList, start: State<Note> | undefined) {
    this.doc = doc;
    this.roots = roots;
    this.start = start;
  }

  /** The state at the value that a root is; undefined if no path leads there. */
  at(root: Root): State<Note> | undefined {
    const step = this.roots.stepTo(root);
    return step === NO_STEP ? this.start : this.follow(step);
  }

  private follow(step: RootStep): State<Note> | undefined {
    const { doc, roots } = this;
    const state = this.before(roots.before(step));
    if (state === undefined) return undefined;
    const container = roots.containerOf(step);
    const name = roots.nameIn(step);
    if (name !== undefined) return stateAtObject(doc, container, state).member(doc, name);
    return state.isIndexed ? this.elementsOf(container, state).at(roots.indexIn(step)) : state.anyElement();
  }

  private before(step: RootStep): State<Note> | undefined {
    if (step === NO_STEP) return this.start;
    if (step !== this.step) {
      this.after = this.follow(step);
      this.step = step;
    }
    return this.after;
  }

  private elementsOf(array: Node, state: State<Note>): ElementStates<Note> {
    const { elements } = this;
    if (elements && array === this.array && state === this.inArray) return elements;
    this.array = array;
    this.inArray = state;
    return (this.elements = new ElementStates(state, this.doc, array));
  }
}
