import { after, firstIn, Kind, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import { lengthOf } from '../json/length.ts';
import type { Root, RootList } from '../roots.ts';

/** An element on the way from a root to one of its records. */
export interface ElementOnWay {
  readonly array: Node;
  readonly index: number;
  /** How many elements the array has. */
  readonly length: () => number;
}

/** The same, while the way is followed. */
interface Level extends ElementOnWay {
  index: number;
  element: Node;
  /** The nodes after the element, and after the array. */
  next: Node;
  readonly end: Node;
}

/**
 * Finds the way from a root to each of its records, through arrays. Most often, records are asked for in the order of the text: each
 * then costs what is between it and the one before.
 */
export class RecordWays {
  private readonly doc: JsonDocument;
  private readonly roots: RootList;
  private root: Root = -1;
  private record: Node = -1;
  private readonly levels: Level[] = [];

  constructor(doc: JsonDocument, roots: RootList) {
    this.doc = doc;
    this.roots = roots;
  }

  /** @returns the elements from the outermost array on, until another record is asked for */
  to(record: Node, root: Root): readonly ElementOnWay[] {
    if (root !== this.root || record < this.record) this.begin(root);
    if (record !== this.record) this.moveTo(record);
    return this.levels;
  }

  private begin(root: Root): void {
    const { levels, roots } = this;
    levels.length = 0;
    this.root = root;
    this.record = -1;
    this.enter(roots.nodeOf(root));
  }

  private moveTo(record: Node): void {
    const { doc, levels } = this;
    this.record = record;
    while (levels.length > 1 && levels.at(-1)!.end <= record) levels.pop();
    for (let level = levels.at(-1); level !== undefined; level = this.enter(level.element)) {
      while (level.next <= record) {
        level.element = level.next;
        level.next = after(doc, level.element);
        level.index++;
      }
      if (level.element === record) return;
    }
  }

  /** @returns undefined unless it is an array with elements */
  private enter(array: Node): Level | undefined {
    const { doc } = this;
    const end = after(doc, array);
    const element = firstIn(array);
    if (kindOf(doc, array) !== Kind.array || element >= end) return undefined;
    const level = { array, index: 0, length: lengthOf(doc, array), element, next: after(doc, element), end };
    this.levels.push(level);
    return level;
  }
}
