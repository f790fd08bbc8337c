import { SEED } from './seed.ts';
import { endOf, isString, Kind, kindOf, startOf, type JsonDocument, type Node } from './json/document.ts';
import { viewOf } from './json/piece.ts';
import { scalarTextAt } from './json/text.ts';
import { unescapeBytes } from './json/unescape-bytes.ts';

/** The words of a text: its value, its hash, and where its bytes begin and end. */
const WORDS = 4;
const FIRST_ROOM = 64;
/** With so many texts, room is made for all of the document if it goes on as it began, and for a few more. */
const MANY = 4096;
const MARGIN = 1.05;
/** How many bytes of a document each of many different texts takes at least, about. */
const LEAST_BYTES = 4;
/** In the place of the value of a text that has none. */
const NO_NODE: Node = -1;

/** What is written around texts. */
export interface TextFrame {
  /** Before the first and after the last. */
  readonly open: Buffer;
  readonly close: Buffer;
  /** Before and after each. */
  readonly before: string;
  readonly after: string;
}

/**
 * The texts of many scalars or names of one document, each once, in the order in which they came. They are compared by their bytes,
 * and decoded only if they are asked for: there may be hundreds of thousands.
 *
 * Strings with escapes are compared by what they say ({@link unescapeBytes}).
 */
export class ScalarTexts {
  private readonly doc: JsonDocument;
  private words = new Int32Array(FIRST_ROOM * WORDS);
  private count = 0;
  /** By hash: the number of a text plus one; 0 if there is none. At least a third of it is empty. */
  private table = new Int32Array(FIRST_ROOM * 2);
  /** The bytes of texts that are not so in the document. */
  private written = Buffer.alloc(FIRST_ROOM);
  private writtenLength = 0;
  /** The byte of the document at which the last value began. */
  private reached = 0;

  constructor(doc: JsonDocument) {
    this.doc = doc;
  }

  get length(): number {
    return this.count;
  }

  /**
   * Adds the text of a value or name.
   *
   * @returns its place among the texts, the same for the same text; undefined if the value is null, an object or an array
   */
  add(node: Node): number | undefined {
    const { doc } = this;
    const kind = kindOf(doc, node);
    if (kind >= Kind.null) return undefined;
    const quote = isString(kind) ? 1 : 0;
    this.reached = startOf(doc, node);
    const start = this.reached + quote;
    const end = endOf(doc, node) - quote;
    if (kind === Kind.escapedString) return this.addUnescaped(node, start, end);
    return this.addBytes(node, doc.bytes, start, end);
  }

  /** Adds digits that are no value of the document. */
  addDigits(digits: string): void {
    this.makeRoom(digits.length);
    this.addWritten(NO_NODE, this.writtenLength + this.written.write(digits, this.writtenLength));
  }

  /** The texts as JavaScript has them. */
  all(): readonly string[] {
    return Array.from({ length: this.count }, (_, at) => this.textAt(at));
  }

  /** The texts as strings of JSON, separated by commas. */
  asJson({ open, before, after, close }: TextFrame): Buffer {
    if (this.count === 0) return Buffer.concat([open, close]);
    const first = Buffer.concat([open, Buffer.from(`${before}"`)]);
    const between = Buffer.from(`"${after},${before}"`);
    const last = Buffer.concat([Buffer.from(`"${after}`), close]);
    const framed = first.length + (this.count - 1) * between.length + last.length;
    const json = Buffer.allocUnsafe(framed + this.speltLength());
    first.copy(json);
    last.copy(json, this.copyTexts(json, first.length, viewOf(between)));
    return json;
  }

  /** @returns the byte after the last text */
  private copyTexts(json: Buffer, start: number, between: DataView): number {
    const to = viewOf(json);
    const written = viewOf(this.written);
    const { view } = this.doc;
    let at = start;
    for (let text = 0; text < this.count; text++) {
      if (text > 0) at = copy(between, 0, between.byteLength, to, at);
      const from = this.nodeOf(text) === NO_NODE ? written : view;
      at = copy(from, this.startOfSpelt(text), this.endOfSpelt(text), to, at);
    }
    return at;
  }

  /** How many bytes the texts take together as they are spelt in the document. */
  private speltLength(): number {
    let length = 0;
    for (let text = 0; text < this.count; text++) length += this.endOfSpelt(text) - this.startOfSpelt(text);
    return length;
  }

  private startOfSpelt(text: number): number {
    const node = this.nodeOf(text);
    return this.isSpeltOtherwise(node) ? startOf(this.doc, node) + 1 : this.words[text * WORDS + 2]!;
  }

  private endOfSpelt(text: number): number {
    const node = this.nodeOf(text);
    return this.isSpeltOtherwise(node) ? endOf(this.doc, node) - 1 : this.words[text * WORDS + 3]!;
  }

  /** Whether a value is compared by other bytes than those that it has in the document. */
  private isSpeltOtherwise(node: Node): boolean {
    return node !== NO_NODE && kindOf(this.doc, node) === Kind.escapedString;
  }

  private nodeOf(text: number): Node {
    return this.words[text * WORDS]!;
  }

  private textAt(text: number): string {
    const node = this.nodeOf(text);
    if (node !== NO_NODE) return scalarTextAt(this.doc, node) ?? '';
    return this.written.toString('latin1', this.startOfSpelt(text), this.endOfSpelt(text));
  }

  private addUnescaped(node: Node, start: number, end: number): number {
    this.makeRoom(end - start);
    return this.addWritten(node, unescapeBytes(this.doc.bytes, start, end, this.written, this.writtenLength));
  }

  /** Adds a text whose bytes are the last that were written, up to `end`; if it is known, they are written over. */
  private addWritten(node: Node, end: number): number {
    const before = this.count;
    const text = this.addBytes(node, this.written, this.writtenLength, end);
    if (this.count > before) this.writtenLength = end;
    return text;
  }

  private addBytes(node: Node, bytes: Buffer, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    const mask = this.table.length - 1;
    let slot = hash & mask;
    for (let known = this.table[slot]!; known !== 0; known = this.table[slot]!) {
      if (this.isText(known - 1, hash, bytes, start, end)) return known - 1;
      slot = (slot + 1) & mask;
    }
    this.table[slot] = this.count + 1;
    const { words } = this;
    const at = this.count * WORDS;
    words[at] = node;
    words[at + 1] = hash;
    words[at + 2] = start;
    words[at + 3] = end;
    this.count++;
    if (at + WORDS === words.length) this.grow();
    return this.count - 1;
  }

  private isText(text: number, hash: number, bytes: Buffer, start: number, end: number): boolean {
    const { words } = this;
    const at = text * WORDS;
    const from = words[at + 2]!;
    if (words[at + 1] !== hash || words[at + 3]! - from !== end - start) return false;
    const node = words[at]!;
    const source = node === NO_NODE || this.isSpeltOtherwise(node) ? this.written : this.doc.bytes;
    for (let i = 0; i < end - start; i++) if (source[from + i] !== bytes[start + i]) return false;
    return true;
  }

  private grow(): void {
    const room = this.nextRoom();
    const words = new Int32Array(room * WORDS);
    words.set(this.words);
    const table = new Int32Array(2 ** Math.ceil(Math.log2(room * 1.5)));
    const mask = table.length - 1;
    for (let text = 0; text < this.count; text++) {
      let slot = words[text * WORDS + 1]! & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = text + 1;
    }
    this.words = words;
    this.table = table;
  }

  /** For how many texts there is to be room. */
  private nextRoom(): number {
    const { count, doc, reached } = this;
    if (count < MANY) return count * 2;
    const { length } = doc.bytes;
    const expected = Math.min(length / LEAST_BYTES, ((count * length) / reached) * MARGIN);
    return Math.ceil(Math.max(count * 1.5, expected));
  }

  private makeRoom(length: number): void {
    const needed = this.writtenLength + length;
    if (needed <= this.written.length) return;
    const larger = Buffer.alloc(Math.max(needed, this.written.length * 2));
    this.written.copy(larger, 0, 0, this.writtenLength);
    this.written = larger;
  }
}

/** Each byte changes all that follow it otherwise, so that nobody finds many texts of one hash. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ bytes[at]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

/** Texts of less than this are copied word by word: a native call costs more. */
const SHORT = 128;
const WORD = 4;

/** @returns the byte after the copy */
function copy(from: DataView, start: number, end: number, to: DataView, at: number): number {
  if (end - start > SHORT) return copyLong(from, start, end, to, at);
  let read = start;
  let write = at;
  for (const last = end - WORD; read <= last; read += WORD, write += WORD)
    to.setInt32(write, from.getInt32(read, true), true);
  for (; read < end; read++, write++) to.setUint8(write, from.getUint8(read));
  return write;
}

function copyLong(from: DataView, start: number, end: number, to: DataView, at: number): number {
  const bytes = new Uint8Array(from.buffer, from.byteOffset + start, end - start);
  new Uint8Array(to.buffer, to.byteOffset + at, end - start).set(bytes);
  return at + end - start;
}
