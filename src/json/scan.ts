import { isUtf8 } from 'node:buffer';
import { Kind, MAX_TEXT_BYTES, type Located } from './located.ts';
import { JsonDepthError, JsonSyntaxError } from './syntax-error.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** What a byte means inside a string: 0 stands for itself, 1 ends the run (quote, backslash, control character). */
const STRING_STOP = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
);
/** The characters that may follow a backslash, save `u`. */
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));

/**
 * Finds every value in a JSON text: accepts exactly what the grammar of RFC 8259 allows (as `JSON.parse` does) and nothing
 * else. One pass, no recursion, time and memory linear in the text.
 *
 * @param bytes the text, UTF-8, without a byte order mark
 * @param maxDepth how many levels of objects and arrays may lie in each other
 * @throws JsonSyntaxError where it is not JSON or not UTF-8
 * @throws JsonDepthError where it nests deeper than `maxDepth`
 */
export function scan(bytes: Buffer, maxDepth: number): Located {
  if (bytes.length > MAX_TEXT_BYTES) throw new RangeError(`a text of more than ${MAX_TEXT_BYTES} bytes`);
  if (!isUtf8(bytes)) throw new JsonSyntaxError('invalid UTF-8', 0);
  return new Scanner(bytes, maxDepth).run();
}

class Scanner {
  private readonly bytes: Buffer;
  private readonly open: Int32Array;
  private tape: Int32Array;
  private words = 0;
  private depth = 0;

  constructor(bytes: Buffer, maxDepth: number) {
    this.bytes = bytes;
    this.open = new Int32Array(maxDepth);
    this.tape = new Int32Array((bytes.length >> 2) + 16);
  }

  run(): Located {
    let at = 0;
    do at = this.afterValue(this.value(this.skipSpace(at)));
    while (this.depth > 0);
    if (at < this.bytes.length) throw new JsonSyntaxError('text behind the value', at);
    return { bytes: this.bytes, tape: this.tape.subarray(0, this.words) };
  }

  /** Reads a scalar, or opens containers up to the first scalar in them; returns the byte behind. */
  private value(start: number): number {
    const { bytes } = this;
    let at = start;
    for (;;) {
      const byte = bytes[at];
      if (byte === QUOTE) return this.string(at);
      if (byte === OPEN_OBJECT) {
        this.enter(at, Kind.object);
        at = this.skipSpace(at + 1);
        if (bytes[at] === CLOSE_OBJECT) return this.leave(at);
        at = this.name(at);
      } else if (byte === OPEN_ARRAY) {
        this.enter(at, Kind.array);
        at = this.skipSpace(at + 1);
        if (bytes[at] === CLOSE_ARRAY) return this.leave(at);
      } else return this.bareScalar(at, byte);
    }
  }

  /** Closes what ends behind a value and steps over the comma to where the next value starts. */
  private afterValue(behind: number): number {
    const { bytes } = this;
    let at = behind;
    for (;;) {
      at = this.skipSpace(at);
      if (this.depth === 0) return at;
      const byte = bytes[at];
      const inObject = (this.tape[this.open[this.depth - 1]!]! & 7) === Kind.object;
      if (byte === COMMA) {
        at = this.skipSpace(at + 1);
        return inObject ? this.name(at) : at;
      }
      if (byte !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) throw this.unexpected(at);
      at = this.leave(at);
    }
  }

  private enter(at: number, kind: Kind): void {
    if (this.depth === this.open.length) throw new JsonDepthError(this.open.length);
    this.open[this.depth++] = this.words;
    this.push(at, kind);
    this.words += 2;
  }

  private leave(at: number): number {
    const container = this.open[--this.depth]!;
    this.tape[container + 1] = this.words;
    this.tape[container + 2] = at;
    return at + 1;
  }

  /** Reads `"name" :` and returns where its value starts. */
  private name(at: number): number {
    if (this.bytes[at] !== QUOTE) throw this.unexpected(at);
    const colon = this.skipSpace(this.string(at));
    if (this.bytes[colon] !== COLON) throw this.unexpected(colon);
    return this.skipSpace(colon + 1);
  }

  private string(start: number): number {
    const { bytes } = this;
    let kind: Kind = Kind.plainString;
    let at = start + 1;
    for (;;) {
      while (at < bytes.length && STRING_STOP[bytes[at]!] === 0) at++;
      if (bytes[at] === QUOTE) break;
      if (bytes[at] !== BACKSLASH) throw this.unexpected(at);
      kind = Kind.escapedString;
      at = this.escape(at);
    }
    this.push(start, kind);
    return at + 1;
  }

  private escape(backslash: number): number {
    const at = backslash + 1;
    const byte = this.bytes[at];
    if (byte === 0x75) {
      for (let digit = at + 1; digit <= at + 4; digit++) {
        if (!isHexDigit(this.bytes[digit])) throw this.unexpected(digit);
      }
      return at + 5;
    }
    if (byte === undefined || !ESCAPES.has(byte)) throw this.unexpected(at);
    return at + 1;
  }

  private bareScalar(at: number, byte: number | undefined): number {
    if (byte === MINUS || isDigit(byte)) return this.number(at);
    if (byte === 0x74) return this.literal(at, 'true', Kind.true);
    if (byte === 0x66) return this.literal(at, 'false', Kind.false);
    if (byte === 0x6e) return this.literal(at, 'null', Kind.null);
    throw this.unexpected(at);
  }

  private literal(start: number, word: string, kind: Kind): number {
    for (let i = 1; i < word.length; i++) {
      if (this.bytes[start + i] !== word.charCodeAt(i)) throw this.unexpected(start + i);
    }
    this.push(start, kind);
    return start + word.length;
  }

  private number(start: number): number {
    const { bytes } = this;
    let at = start + (bytes[start] === MINUS ? 1 : 0);
    at = bytes[at] === 0x30 ? at + 1 : this.digits(at);
    if (bytes[at] === 0x2e) at = this.digits(at + 1);
    if (bytes[at] === 0x65 || bytes[at] === 0x45) {
      at++;
      if (bytes[at] === 0x2b || bytes[at] === MINUS) at++;
      at = this.digits(at);
    }
    this.push(start, Kind.number);
    return at;
  }

  /** One digit or more. */
  private digits(start: number): number {
    if (!isDigit(this.bytes[start])) throw this.unexpected(start);
    let at = start + 1;
    while (isDigit(this.bytes[at])) at++;
    return at;
  }

  private skipSpace(start: number): number {
    const { bytes } = this;
    let at = start;
    let byte = bytes[at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++at];
    return at;
  }

  private push(at: number, kind: Kind): void {
    if (this.words + 3 > this.tape.length) this.grow();
    this.tape[this.words++] = (at << 3) | kind;
  }

  private grow(): void {
    const larger = new Int32Array(this.tape.length * 2);
    larger.set(this.tape);
    this.tape = larger;
  }

  private unexpected(at: number): JsonSyntaxError {
    return new JsonSyntaxError(at < this.bytes.length ? 'unexpected character' : 'unexpected end', at);
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 32) >= 0x61 && (byte | 32) <= 0x66);
}
