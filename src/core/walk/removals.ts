import { endBefore, startOf, type JsonDocument, type Node } from '../json/document.ts';
import type { Cut } from '../json/splicer.ts';

/**
 * What is to be cut for one child of a container to go, known without looking at its neighbours.
 *
 * @param first the element, or the member's name
 * @param next where the next child begins, or the container's last byte
 * @param place `leading` if all children before it go as well or there are none, `last` if there are none after it
 */
export function cutOf(
  doc: JsonDocument,
  first: Node,
  next: number,
  place: { readonly leading: boolean; readonly last: boolean },
): Cut {
  const start = startOf(doc, first);
  return {
    start: place.leading ? start : endBefore(doc, start),
    end: place.leading && !place.last ? next : endBefore(doc, next),
  };
}
