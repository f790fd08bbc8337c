import { characterAt, escapedUnitAt, sizeOfCharacter, sizeOfEscape } from '../json/unescape.ts';
import { CharacterBoundary } from './characters.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const FIRST_BEYOND_ASCII = 0x80;
/** No code point before the first accent joins another one, but a line feed after a carriage return. */
const FIRST_THAT_JOINS = 0x300;
/** In the place of the code point before the first one. */
const NONE = -1;
/** The first byte of a sequence of three bytes in UTF-8. */
const THREE_BYTES = 0xe0;
/** Of how many characters, from either end, the place is kept: a power of two. */
const MARKED = 64;
const LAST_MARK = MARKED - 1;

const BOUNDARY = new CharacterBoundary();

/**
 * The characters that a person counts ({@link CharacterBoundary}) of a JSON string as it is spelt in a text, escapes included:
 * nothing is decoded into a text. Time is linear in the length of the string.
 */
export class SpeltCharacters {
  /** The code point that was read last, and the byte after it. */
  private code = 0;
  private next = 0;
  private count = 0;
  /** Where the first characters begin if they are at least as many, and where the last do. */
  private readonly first = new Int32Array(MARKED);
  private readonly last = new Int32Array(MARKED);

  /**
   * Reads a string.
   *
   * @param start the byte after the opening quote
   * @param end the closing quote
   * @returns how many characters it has
   */
  read(bytes: Buffer, start: number, end: number): number {
    const { first, last } = this;
    let count = 0;
    let before = NONE;
    /** Whether the boundary has not met what is before. */
    let isBehind = false;
    for (let at = start, next = start; at < end; at = next) {
      const byte = bytes[at]!;
      let code: number;
      if (byte < FIRST_BEYOND_ASCII && byte !== BACKSLASH) {
        code = byte;
        next = at + 1;
      } else if (byte >= FIRST_BEYOND_ASCII && byte < THREE_BYTES) {
        code = ((byte & 0x1f) << 6) | (bytes[at + 1]! & 0x3f);
        next = at + 2;
      } else if (byte === BACKSLASH && bytes[at + 1] !== LETTER_U) {
        code = escapedUnitAt(bytes, at);
        next = at + 2;
      } else {
        this.take(bytes, at, end);
        ({ code, next } = this);
      }
      let isJoined = false;
      if (code < FIRST_THAT_JOINS && before < FIRST_THAT_JOINS) {
        isJoined = code === LINE_FEED && before === CARRIAGE_RETURN;
        isBehind = true;
      } else {
        if (isBehind) BOUNDARY.begin(before);
        if (before === NONE) BOUNDARY.begin(code);
        else isJoined = BOUNDARY.joins(code);
        isBehind = false;
      }
      if (!isJoined) {
        last[count & LAST_MARK] = at;
        count++;
        if (count === MARKED) first.set(last);
      }
      before = code;
    }
    this.count = count;
    return count;
  }

  /**
   * Where a character of the string begins that was read last.
   *
   * @param index at most how many there are
   * @param end the closing quote
   */
  startOf(index: number, bytes: Buffer, end: number): number {
    if (index === this.count) return end;
    if (index >= this.count - MARKED) return this.last[index & LAST_MARK]!;
    if (index < MARKED) return this.first[index]!;
    let passed = MARKED - 1;
    let at = this.first[passed]!;
    this.take(bytes, at, end);
    BOUNDARY.begin(this.code);
    while (passed < index) {
      at = this.next;
      this.take(bytes, at, end);
      if (!BOUNDARY.joins(this.code)) passed++;
    }
    return at;
  }

  private take(bytes: Buffer, at: number, end: number): void {
    const byte = bytes[at]!;
    if (byte !== BACKSLASH) {
      this.code = byte < 0x80 ? byte : characterAt(bytes, at, byte);
      this.next = at + sizeOfCharacter(byte);
      return;
    }
    const unit = escapedUnitAt(bytes, at);
    const next = at + sizeOfEscape(bytes, at);
    this.code = unit;
    this.next = next;
    if ((unit & 0xfc00) !== 0xd800 || next === end || bytes[next] !== BACKSLASH) return;
    const low = escapedUnitAt(bytes, next);
    if ((low & 0xfc00) !== 0xdc00) return;
    this.code = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
    this.next = next + sizeOfEscape(bytes, next);
  }
}
