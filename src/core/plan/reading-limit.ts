import { isContainer, kindOf, roughLengthOf, type JsonDocument, type Node } from '../json/document.ts';
import type { AttributeValue, FoundValue } from '../paths/attribute.ts';

/** What conditions may read of one record, in bytes: each condition reads a text again. */
export const MOST_READ = { least: 16 * 1024 * 1024, perByte: 16 };
/** How many times a long text or number counts: it may have to be searched, which takes longer than to compare the values of a list. */
export const SEARCHED = 3;
/** Shorter values are not counted if they are alone. Bytes. */
const LONG = 1024;
/** What a value of a list takes besides its text. */
const BYTES_PER_VALUE = 16;

/** The conditions of a decision would read too much of one record. */
export class TooMuchReadError extends Error {
  override readonly name = 'TooMuchReadError';
}

/** Bounds what conditions read of one record: the walk cannot end a step in the middle of that. */
export class ReadingLimit {
  private readonly doc: JsonDocument;
  private record: Node = -1;
  private read = 0;

  constructor(doc: JsonDocument) {
    this.doc = doc;
  }

  /** Counts a scalar that is read of a record. @throws TooMuchReadError */
  addScalar(record: Node, scalar: Node): void {
    const length = this.lengthOf(scalar);
    if (length > LONG) this.add(record, SEARCHED * length);
  }

  /** The same for values. */
  addAll(record: Node, values: Iterable<FoundValue | AttributeValue>): void {
    let length = 0;
    for (const value of values) length += BYTES_PER_VALUE + this.lengthOf(value);
    if (length > LONG) this.add(record, length);
  }

  private lengthOf(value: FoundValue | AttributeValue): number {
    if (typeof value === 'string') return value.length;
    if (typeof value === 'symbol') return 0;
    return isContainer(kindOf(this.doc, value)) ? 0 : roughLengthOf(this.doc, value);
  }

  private add(record: Node, bytes: number): void {
    if (record !== this.record) this.read = 0;
    this.record = record;
    this.read += bytes;
    if (this.read > MOST_READ.least + MOST_READ.perByte * this.doc.bytes.length) throw new TooMuchReadError();
  }
}
