import { SEED } from './seed.ts';
import { endOf, isString, Kind, kindOf, startOf, type JsonDocument, type Node } from './json/document.ts';
import { scalarTextAt } from './json/text.ts';
import { escapedUnitAt, sizeOfEscape } from './json/unescape.ts';
import { doubled } from './json/words.ts';

const BACKSLASH = 0x5c;
/** The words of a text: its value, its hash, and where its bytes begin and end. */
const WORDS = 4;
const FIRST_ROOM = 64;
/** In the place of the value of a text that has none. */
const NO_NODE: Node = -1;

/**
 * The texts of many scalars or names of one document, each once, in the order in which they came. They are compared by their bytes,
 * and decoded only if they are asked for: there may be hundreds of thousands.
 *
 * Strings with escapes are compared by what they say. A lone surrogate counts as the bytes that it would have in UTF-8 if it
 * were a character; no other text contains these.
 */
export class ScalarTexts {
  private readonly doc: JsonDocument;
  private words = new Int32Array(FIRST_ROOM * WORDS);
  private count = 0;
  /** By hash: the number of a text plus one; 0 if there is none. */
  private table = new Int32Array(FIRST_ROOM * 2);
  /** The bytes of texts that are not so in the document. */
  private written = Buffer.alloc(FIRST_ROOM);
  private writtenLength = 0;

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
    const start = startOf(doc, node) + quote;
    const end = endOf(doc, node) - quote;
    if (kind === Kind.escapedString) return this.addWritten(node, this.unescape(start, end));
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

  /** The texts as strings of JSON, each between two other texts, separated by commas. */
  asJson(before: string, after: string): Buffer {
    const open = Buffer.from(`${before}"`);
    const close = Buffer.from(`"${after},`);
    const json = Buffer.allocUnsafe(this.speltLength() + this.count * (open.length + close.length));
    let at = 0;
    for (let text = 0; text < this.count; text++) {
      at = copy(open, 0, open.length, json, at);
      at = this.copySpelt(text, json, at);
      at = copy(close, 0, close.length, json, at);
    }
    return json.subarray(0, Math.max(0, json.length - 1));
  }

  /** How many bytes the texts take together as they are spelt in the document. */
  private speltLength(): number {
    let length = 0;
    for (let text = 0; text < this.count; text++) length += this.endOfSpelt(text) - this.startOfSpelt(text);
    return length;
  }

  private copySpelt(text: number, to: Buffer, at: number): number {
    const source = this.nodeOf(text) === NO_NODE ? this.written : this.doc.bytes;
    return copy(source, this.startOfSpelt(text), this.endOfSpelt(text), to, at);
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
    const at = this.count * WORDS;
    if (at === this.words.length) this.words = doubled(this.words);
    const { words } = this;
    words[at] = node;
    words[at + 1] = hash;
    words[at + 2] = start;
    words[at + 3] = end;
    this.table[slot] = ++this.count;
    if (this.count * 2 > this.table.length) this.growTable();
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

  private growTable(): void {
    const table = new Int32Array(this.table.length * 2);
    const mask = table.length - 1;
    for (let text = 0; text < this.count; text++) {
      let slot = this.words[text * WORDS + 1]! & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = text + 1;
    }
    this.table = table;
  }

  private makeRoom(length: number): void {
    const needed = this.writtenLength + length;
    if (needed <= this.written.length) return;
    const larger = Buffer.alloc(Math.max(needed, this.written.length * 2));
    this.written.copy(larger, 0, 0, this.writtenLength);
    this.written = larger;
  }

  /** Writes what a string with escapes says, which takes no more bytes than it does. @returns the byte after it */
  private unescape(start: number, end: number): number {
    this.makeRoom(end - start);
    const { written } = this;
    const { bytes } = this.doc;
    let to = this.writtenLength;
    for (let at = start; at < end;) {
      const byte = bytes[at]!;
      if (byte !== BACKSLASH) {
        written[to++] = byte;
        at++;
        continue;
      }
      const unit = escapedUnitAt(bytes, at);
      at += sizeOfEscape(bytes, at);
      const low = isHigh(unit) && bytes[at] === BACKSLASH ? escapedUnitAt(bytes, at) : 0;
      const isPair = low >= 0xdc00 && low <= 0xdfff;
      if (isPair) at += sizeOfEscape(bytes, at);
      to = writeCharacter(written, to, isPair ? 0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00 : unit);
    }
    return to;
  }
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Writes a code point, or a lone surrogate, as UTF-8 does. @returns the byte after it */
function writeCharacter(bytes: Buffer, start: number, character: number): number {
  let at = start;
  if (character < 0x80) bytes[at++] = character;
  else if (character < 0x800) bytes[at++] = 0xc0 | (character >> 6);
  else if (character < 0x10000) bytes[at++] = 0xe0 | (character >> 12);
  else bytes[at++] = 0xf0 | (character >> 18);
  if (character >= 0x10000) bytes[at++] = 0x80 | ((character >> 12) & 0x3f);
  if (character >= 0x800) bytes[at++] = 0x80 | ((character >> 6) & 0x3f);
  if (character >= 0x80) bytes[at++] = 0x80 | (character & 0x3f);
  return at;
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

/** What is no longer than this, in bytes, is copied byte by byte: a native call costs more. */
const SHORT = 32;

/** @returns the byte after the copy */
function copy(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  if (end - start > SHORT) from.copy(to, at, start, end);
  else for (let i = start; i < end; i++) to[at + i - start] = from[i]!;
  return at + end - start;
}
