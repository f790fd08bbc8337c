import { after, Kind, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import { recordsAt } from '../records.ts';
import type { RootList } from '../roots.ts';

/** What is inside the records of a payload, and neither a record itself nor a list of records. */
export class RecordInsides {
  private readonly doc: JsonDocument;
  private readonly records: Iterator<Node>;
  /** The record that was reached last. */
  private record: Node = -1;
  private end: Node = -1;

  constructor(doc: JsonDocument, roots: RootList) {
    this.doc = doc;
    this.records = recordsOf(doc, roots);
  }

  /** To be asked about values in the order of the text; a value inside another one may be followed by it. */
  hold(node: Node): boolean {
    while (this.end <= node) {
      const next = this.records.next();
      if (next.done === true) return false;
      this.record = next.value;
      this.end = after(this.doc, next.value);
    }
    return this.record < node && kindOf(this.doc, this.record) === Kind.object;
  }
}

function* recordsOf(doc: JsonDocument, roots: RootList): Generator<Node, undefined> {
  for (const root of roots.all()) yield* recordsAt(doc, roots.nodeOf(root));
}
