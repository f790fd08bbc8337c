import { endBefore, endOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import type { Cut } from '../json/splicer.ts';

/**
 * Removes elements of an array or members of an object together with their commas. It must see every child in order.
 */
export class Removals {
  private readonly doc: JsonDocument;
  private keptAny = false;

  constructor(doc: JsonDocument) {
    this.doc = doc;
  }

  keep(): void {
    this.keptAny = true;
  }

  /**
   * What is to be cut for a child to go.
   *
   * @param first the element, or the member's name
   * @param value the element, or the member's value
   * @param before the value of the child before it, if any
   * @param next the element or name after it, if any
   */
  cut(first: Node, value: Node, before: Node | undefined, next: Node | undefined): Cut {
    const start = this.keptAny && before !== undefined ? endOf(this.doc, before) : startOf(this.doc, first);
    const end = !this.keptAny && next !== undefined ? startOf(this.doc, next) : endOf(this.doc, value);
    return { start, end };
  }
}

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
