import { endOf, startOf, type JsonDocument, type Node } from './document.ts';

/**
 * The text of members or elements, where those that follow one another are one piece with what is between them: a caller may send
 * hundreds of thousands.
 */
export class TextRuns {
  private readonly doc: JsonDocument;
  private readonly ended: Buffer[] = [];
  private first: Node | undefined;
  private last: Node | undefined;

  constructor(doc: JsonDocument) {
    this.doc = doc;
  }

  /** Adds what begins with one node and ends with another. */
  add(first: Node, last: Node): void {
    this.first ??= first;
    this.last = last;
  }

  /** What is added next does not follow. */
  end(): void {
    const { doc, first, last } = this;
    if (first !== undefined && last !== undefined)
      this.ended.push(doc.bytes.subarray(startOf(doc, first), endOf(doc, last)));
    this.first = undefined;
    this.last = undefined;
  }

  texts(): readonly Buffer[] {
    this.end();
    return this.ended;
  }
}
