import { behind, firstIn, Kind, kindOf, startOf, type Located, type Node } from '../../json/located.ts';
import { stringAt } from '../../json/text.ts';

/** A property name that is looked for in objects, without decoding theirs. */
export class NameToken {
  private readonly text: string;
  /** With the quote that ends it. */
  private readonly bytes: Buffer;
  /** Whether it can stand in a text without an escape. */
  private readonly mayBePlain: boolean;

  constructor(text: string) {
    this.text = text;
    this.bytes = Buffer.from(`${text}"`);
    this.mayBePlain = text.isWellFormed() && JSON.stringify(text) === `"${text}"`;
  }

  /** The value of the last property of this name in an object. */
  lastIn(doc: Located, object: Node): Node | undefined {
    const stop = behind(doc, object);
    let last: Node | undefined;
    for (let name = firstIn(object); name < stop; name = behind(doc, name + 1)) {
      if (this.isAt(doc, name)) last = name + 1;
    }
    return last;
  }

  private isAt(doc: Located, node: Node): boolean {
    if (kindOf(doc, node) === Kind.escapedString) return stringAt(doc, node) === this.text;
    if (!this.mayBePlain) return false;
    const { bytes } = doc;
    const start = startOf(doc, node) + 1;
    for (let i = 0; i < this.bytes.length; i++) if (bytes[start + i] !== this.bytes[i]) return false;
    return true;
  }
}
