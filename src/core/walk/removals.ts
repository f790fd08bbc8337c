import { endBefore, startOf, type JsonDocument, type Node } from '../json/document.ts';

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
