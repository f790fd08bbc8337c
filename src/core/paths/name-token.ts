import {
  after,
  firstIn,
  Kind,
  kindOf,
  nameAfter,
  keyIdOf,
  startOf,
  valueOf,
  type JsonDocument,
  type Node,
} from '../json/document.ts';
import { NO_KEY_ID, type KeyId } from '../json/key-interner.ts';
import { mayBePlain, says } from '../json/text.ts';

/** A property name that is looked for in objects, without decoding theirs. */
export class NameToken {
  private readonly text: string;
  /** With the quote that ends it; none if it cannot be in a text without an escape. Made when the name is looked for. */
  private bytes: Uint8Array | undefined;
  /** The number of the name in the texts of one generation, once it was met. */
  private generation = -1;
  private number: KeyId = NO_KEY_ID;

  constructor(text: string) {
    this.text = text;
  }

  /** The value of the last property of this name in an object. */
  lastIn(doc: JsonDocument, object: Node): Node | undefined {
    if (this.generation !== doc.generation) this.forget(doc.generation);
    const stop = after(doc, object);
    let last: Node | undefined;
    for (let name = firstIn(object); name < stop; name = nameAfter(doc, name)) {
      const number = keyIdOf(doc, name);
      const isIt =
        number === NO_KEY_ID || this.number === NO_KEY_ID
          ? this.isSpeltAt(doc, name)
          : number === this.number;
      if (!isIt) continue;
      this.number = number;
      last = valueOf(name);
    }
    return last;
  }

  private forget(generation: number): void {
    this.generation = generation;
    this.number = NO_KEY_ID;
  }

  private isSpeltAt(doc: JsonDocument, node: Node): boolean {
    if (kindOf(doc, node) === Kind.escapedString) return says(doc, node, this.text);
    this.bytes ??= spelt(this.text);
    const { bytes } = doc;
    const start = startOf(doc, node) + 1;
    for (let i = 0; i < this.bytes.length; i++) if (bytes[start + i] !== this.bytes[i]) return false;
    return this.bytes.length > 0;
  }
}

function spelt(text: string): Uint8Array {
  return mayBePlain(text) ? Buffer.from(`${text}"`) : NOT_SPELT;
}

const NOT_SPELT = new Uint8Array(0);
