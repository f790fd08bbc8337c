import {
  after,
  endBefore,
  firstIn,
  startOf,
  startOfNext,
  type JsonDocument,
  type Node,
} from '../json/document.ts';
import { NO_STEP, type Root, type RootList } from '../roots.ts';

/**
 * Where the cut begins that one child of a container takes to go, known without looking at its neighbours.
 *
 * @param first the element, or the member's name
 * @param isLeading whether all children before it go as well or there are none
 */
export function startOfCut(doc: JsonDocument, first: Node, isLeading: boolean): number {
  const start = startOf(doc, first);
  return isLeading ? start : endBefore(doc, start);
}

/**
 * Where it ends.
 *
 * @param next where the next child begins, or the container's last byte
 * @param isLast whether there are no children after it
 */
export function endOfCut(doc: JsonDocument, next: number, isLeading: boolean, isLast: boolean): number {
  return isLeading && !isLast ? next : endBefore(doc, next);
}

/** What is to be cut for roots to go from what holds them. */
export class RootCuts {
  /** Where each cut begins and ends, in turn, in the order of the text. */
  readonly cuts: number[] = [];
  private readonly doc: JsonDocument;
  private readonly roots: RootList;
  /** What held the last one, and the node after it there if all up to it go. */
  private container: Node | undefined;
  private afterLeading: Node | undefined;

  constructor(doc: JsonDocument, roots: RootList) {
    this.doc = doc;
    this.roots = roots;
  }

  /** Adds a root that is not the payload itself; they come in order. */
  add(root: Root): void {
    const { doc, roots } = this;
    const step = roots.stepTo(root);
    if (step === NO_STEP) return;
    const container = roots.containerOf(step);
    const node = roots.nodeOf(root);
    const first = roots.nameIn(step) ?? node;
    const following = after(doc, node);
    const isLeading =
      first === firstIn(container) || (container === this.container && first === this.afterLeading);
    const next = startOfNext(doc, following, container);
    this.cuts.push(
      startOfCut(doc, first, isLeading),
      endOfCut(doc, next, isLeading, following === after(doc, container)),
    );
    this.container = container;
    this.afterLeading = isLeading ? following : undefined;
  }
}
