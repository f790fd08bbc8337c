import type { Edit } from '../../json/edits.ts';
import { endOf, startOf, type Located, type Node } from '../../json/located.ts';

const NOTHING = Buffer.alloc(0);

/**
 * Removes elements of an array or members of an object together with their commas. It is told every child in order.
 */
export class Removals {
  private readonly doc: Located;
  private readonly edits: Edit[];
  private keptAny = false;

  constructor(doc: Located, edits: Edit[]) {
    this.doc = doc;
    this.edits = edits;
  }

  keep(): void {
    this.keptAny = true;
  }

  /**
   * @param first the element, or the member's name
   * @param value the element, or the member's value
   * @param before the value of the child before it, where there is one
   * @param next the element or name behind it, where there is one
   */
  remove(first: Node, value: Node, before: Node | undefined, next: Node | undefined): void {
    const start = this.keptAny && before !== undefined ? endOf(this.doc, before) : startOf(this.doc, first);
    const end = !this.keptAny && next !== undefined ? startOf(this.doc, next) : endOf(this.doc, value);
    this.edits.push({ start, end, text: NOTHING });
  }
}
