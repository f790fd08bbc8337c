import {
  behind,
  firstIn,
  Kind,
  kindOf,
  nameBehind,
  numberOf,
  startOf,
  valueOf,
  type Located,
  type Node,
} from '../json/located.ts';
import { NO_NUMBER, type NameNumber } from '../json/names.ts';
import { mayBePlain, stringAt } from '../json/text.ts';

/** A property name that is looked for in objects, without decoding theirs. */
export class NameToken {
  private readonly text: string;
  /** With the quote that ends it. */
  private readonly bytes: Buffer;
  /** Whether it can stand in a text without an escape. */
  private readonly mayBePlain: boolean;
  /** The text in which the name was met last, and its number there. */
  private serial = -1;
  private number: NameNumber = NO_NUMBER;

  constructor(text: string) {
    this.text = text;
    this.bytes = Buffer.from(`${text}"`);
    this.mayBePlain = mayBePlain(text);
  }

  /** The value of the last property of this name in an object. */
  lastIn(doc: Located, object: Node): Node | undefined {
    if (this.serial !== doc.serial) this.forget(doc.serial);
    const stop = behind(doc, object);
    let last: Node | undefined;
    for (let name = firstIn(object); name < stop; name = nameBehind(doc, name)) {
      const number = numberOf(doc, name);
      const isIt =
        number === NO_NUMBER || this.number === NO_NUMBER
          ? this.isSpeltAt(doc, name)
          : number === this.number;
      if (!isIt) continue;
      this.number = number;
      last = valueOf(name);
    }
    return last;
  }

  private forget(serial: number): void {
    this.serial = serial;
    this.number = NO_NUMBER;
  }

  private isSpeltAt(doc: Located, node: Node): boolean {
    if (kindOf(doc, node) === Kind.escapedString) return stringAt(doc, node) === this.text;
    if (!this.mayBePlain) return false;
    const { bytes } = doc;
    const start = startOf(doc, node) + 1;
    for (let i = 0; i < this.bytes.length; i++) if (bytes[start + i] !== this.bytes[i]) return false;
    return true;
  }
}
