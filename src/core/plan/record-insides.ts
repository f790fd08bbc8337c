import _ from 'lodash';
import { after, Kind, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import { recordsAt } from '../records.ts';
import type { RootList } from '../roots.ts';

/** What is inside the records of a payload, and neither a record itself nor a list of records. */
export class RecordInsides {
  private readonly doc: JsonDocument;
  private readonly records: Iterator<Node>;
  /** Those that were reached so far, and the node after the last of them. */
  private readonly reached: Node[] = [];
  private end: Node = -1;

  constructor(doc: JsonDocument, roots: RootList) {
    this.doc = doc;
    this.records = recordsOf(doc, roots);
  }

  /** Costs least if it is asked about values in the order of the text. */
  hold(node: Node): boolean {
    this.reach(node);
    const { reached } = this;
    const latest = reached.at(-1) ?? node;
    const record = latest <= node ? latest : (reached[_.sortedLastIndex(reached, node) - 1] ?? node);
    return record < node && node < after(this.doc, record) && kindOf(this.doc, record) === Kind.object;
  }

  private reach(node: Node): void {
    while (this.end <= node) {
      const next = this.records.next();
      if (next.done === true) return;
      this.reached.push(next.value);
      this.end = after(this.doc, next.value);
    }
  }
}

function* recordsOf(doc: JsonDocument, roots: RootList): Generator<Node, undefined> {
  for (const root of roots.all()) yield* recordsAt(doc, roots.nodeOf(root));
}
