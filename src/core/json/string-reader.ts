import { isAscii } from 'node:buffer';
import { endOf, Kind, kindOf, startOf, type JsonDocument, type Node } from './document.ts';
import { stringAt } from './text.ts';

/** How many bytes a text has for each string that may be read before the text is decoded as a whole. */
const BYTES_PER_STRING = 512;

/**
 * Reads the strings of one text. If many are read, and the text is ASCII, it is decoded as a whole and the strings are parts of
 * that, which takes a tenth of the time of decoding each. They then hold the whole text as long as they are held.
 */
export class StringReader {
  private readonly doc: JsonDocument;
  private left: number;
  private text: string | undefined;

  constructor(doc: JsonDocument) {
    this.doc = doc;
    this.left = Math.ceil(doc.bytes.length / BYTES_PER_STRING);
  }

  /** How many characters strings hold besides their own. */
  get held(): number {
    return this.text?.length ?? 0;
  }

  /** What a string or property name says, as {@link stringAt} does. */
  at(node: Node): string {
    const { doc } = this;
    if (this.left === 0 && this.text !== undefined && kindOf(doc, node) === Kind.plainString)
      return this.text.slice(startOf(doc, node) + 1, endOf(doc, node) - 1);
    if (this.left > 0 && --this.left === 0 && isAscii(doc.bytes)) this.text = doc.bytes.toString('latin1');
    return stringAt(doc, node);
  }
}
