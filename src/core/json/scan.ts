import { Kind, MAX_TEXT_BYTES, type JsonDocument } from './document.ts';
import { requireUtf8 } from './encoding.ts';
import { isMostlyLongRuns, LongRuns, stopsIn } from './long-run.ts';
import { KeyInterner, NO_KEY_ID } from './key-interner.ts';
import { viewOf } from './piece.ts';
import { JsonDepthError, JsonSyntaxError } from './syntax-error.ts';
import { Tape } from './tape.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const LETTER_E = 0x65;
const LETTER_U = 0x75;

/** Four letters as they are read in one word. */
const TRUE_WORD = 0x65757274;
const NULL_WORD = 0x6c6c756e;
const FALS_WORD = 0x736c6166;

// What is exported is looked up each time, what is not is a constant in compiled code.
const PLAIN_STRING = Kind.plainString;
const ESCAPED_STRING = Kind.escapedString;
const NUMBER = Kind.number;
const TRUE = Kind.true;
const FALSE = Kind.false;
const NULL = Kind.null;
const OBJECT = Kind.object;
const ARRAY = Kind.array;
const NO_ID = NO_KEY_ID;
const stopsOf = stopsIn;

/** 1 for a byte that is not itself a character of a string: quote, backslash, control character. */
const ENDS_RUN = byteSet((byte) => byte < SPACE || byte === QUOTE || byte === BACKSLASH);
const IS_HEX_DIGIT = byteSet((byte) => '0123456789abcdefABCDEF'.includes(String.fromCharCode(byte)));
/** The characters that may follow a backslash, except `u`. */
const IS_ESCAPE = byteSet((byte) => '"\\/bfnrt'.includes(String.fromCharCode(byte)));

/** A name and a container: the most that is written before it is asked again whether there is room. */
const MOST_WORDS = 5;

/** The words of an array of one scalar. */
const AFTER_ONE_SCALAR = 4;

let texts = 0;

/**
 * Finds every value in a JSON text: accepts exactly what the grammar of RFC 8259 allows (as `JSON.parse` does) and nothing
 * else. One pass, no recursion, time and memory linear in the text.
 *
 * @param bytes the text, UTF-8, without a byte order mark
 * @param maxDepth how many levels of objects and arrays may lie in each other
 * @throws JsonSyntaxError if it is not JSON or not UTF-8
 * @throws JsonDepthError if it nests deeper than `maxDepth`
 */
export function scan(bytes: Buffer, maxDepth: number): JsonDocument {
  if (bytes.length > MAX_TEXT_BYTES) throw new RangeError(`a text of more than ${MAX_TEXT_BYTES} bytes`);
  requireUtf8(bytes);
  const first = skipSpace(bytes, 0, bytes.length);
  const last = lastUsed(bytes);
  const view = viewOf(bytes);
  const keys = new KeyInterner(view, last);
  const { generation } = keys;
  const serial = texts++;
  if (bytes[first] !== OPEN_OBJECT && bytes[first] !== OPEN_ARRAY)
    return { bytes, view, tape: scanScalar(bytes, first, last), serial, generation };
  if (bytes[last] !== CLOSE_OBJECT && bytes[last] !== CLOSE_ARRAY)
    throw faultInUnclosed(bytes, first, last, maxDepth);
  const tape = scanContainer(bytes, keys, first, last, maxDepth);
  return { bytes, view, tape, serial, generation };
}

/** What is wrong with a text that begins with a bracket and ends without one: often something before its end. */
function faultInUnclosed(bytes: Buffer, first: number, last: number, maxDepth: number): Error {
  const closed = Buffer.concat([bytes.subarray(0, last + 1), Uint8Array.of(CLOSE_ARRAY)]);
  try {
    scanContainer(closed, new KeyInterner(viewOf(closed), last + 1), first, last + 1, maxDepth);
  } catch (error) {
    if (error instanceof JsonDepthError) return error;
    if (error instanceof JsonSyntaxError && error.offset <= last) return error;
  }
  return unexpected(bytes, bytes.length);
}

/**
 * Scans a text that is one string, number, boolean or null: as the only element of an array.
 *
 * @param first where the value begins
 * @param last its last byte
 */
function scanScalar(bytes: Buffer, first: number, last: number): Int32Array {
  const value = bytes.subarray(first, last + 1);
  const array = Buffer.concat([Uint8Array.of(OPEN_ARRAY), value, Uint8Array.of(CLOSE_ARRAY)]);
  const [, end, , scalar] = scannedArray(array, first);
  if (scalar === undefined || end !== AFTER_ONE_SCALAR)
    throw new JsonSyntaxError('unexpected character', first);
  return Int32Array.of((first << 3) | (scalar & 7));
}

function scannedArray(array: Buffer, offset: number): Int32Array {
  try {
    const last = array.length - 1;
    return scanContainer(array, new KeyInterner(viewOf(array), last), 0, last, 1);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof JsonDepthError)) throw error;
    throw new JsonSyntaxError('unexpected character', offset);
  }
}

/**
 * Scans an object or array that begins at `first`. As the text ends in a closing bracket, at `last`, every run of spaces,
 * digits and string characters ends there at the latest: so no read goes beyond the text, which is also what keeps it fast
 * (`docs/performance.md`). For the same reason it is one function: it takes a third of the time of one that is cut into
 * methods. `| 0` lets V8 know that what comes from a caller or a function is an integer: it would keep an object otherwise.
 */
function scanContainer(
  bytes: Buffer,
  keys: KeyInterner,
  first: number,
  lastByte: number,
  depthLimit: number,
): Int32Array {
  const { view } = keys;
  const last = lastByte | 0;
  const maxDepth = Math.min(depthLimit, MAX_TEXT_BYTES) | 0;
  const longRuns = isMostlyLongRuns(bytes) ? new LongRuns(bytes, view) : undefined;
  const lastPair = last - 8;
  const tape = new Tape(bytes.length);
  let words = tape.words;
  let room = words.length | 0;
  let count = 0;
  let depth = 0;
  /** The innermost open container, as an index on the tape. While it is open, its second word holds the one around it. */
  let container = 0;
  let inObject = false;
  let namesNext = false;
  let name = NO_ID;
  let at = first | 0;

  for (;;) {
    if (count + MOST_WORDS > room) {
      words = tape.grow(at);
      room = words.length | 0;
    }

    let byte = bytes[at]!;
    if (byte <= SPACE) {
      at = skipSpace(bytes, at, last) | 0;
      byte = bytes[at]!;
    }

    if (namesNext) {
      const predicted = keys.predict(name, at) | 0;
      if (predicted !== NO_ID) {
        name = predicted;
        words[count] = at << 3;
        words[count + 1] = predicted;
        count += 2;
        namesNext = false;
        at = (at + keys.sizeOf(predicted)) | 0;
        byte = bytes[at]!;
        if (byte <= SPACE) {
          at = skipSpace(bytes, at, last) | 0;
          byte = bytes[at]!;
        }
      }
    }

    if (byte === QUOTE) {
      let kind: number = PLAIN_STRING;
      const start = at++;
      for (;;) {
        if (longRuns !== undefined) at = longRuns.skip(at, last) | 0;
        // Eight bytes at a time: most strings end in the first or second.
        run: {
          while (at <= lastPair) {
            const word = view.getInt32(at, true);
            const other = view.getInt32(at + 4, true);
            const stops = stopsOf(word);
            const otherStops = stopsOf(other);
            if ((stops | otherStops) !== 0) {
              // All bits if it ends in the first word, which is chosen without a branch: no processor could predict it.
              const isFirst = (stops | -stops) >> 31;
              const found = (stops & isFirst) | (otherStops & ~isFirst);
              at = (at + (4 & ~isFirst) + ((31 - Math.clz32(found & -found)) >> 3)) | 0;
              break run;
            }
            at = (at + 8) | 0;
          }
          while (at < last && ENDS_RUN[bytes[at]!] === 0) at++;
        }
        byte = bytes[at]!;
        if (byte === QUOTE) break;
        if (byte !== BACKSLASH) throw unexpected(bytes, at === last ? bytes.length : at);
        kind = ESCAPED_STRING;
        do at = skipEscape(bytes, at, last) | 0;
        while (bytes[at] === BACKSLASH);
      }
      at++;
      words[count++] = (start << 3) | kind;
      if (namesNext) {
        const before = name;
        name = NO_ID;
        if (bytes[at] === COLON) {
          if (kind === PLAIN_STRING) name = keys.intern(before, start, at + 1 - start) | 0;
        } else {
          at = skipSpace(bytes, at, last) | 0;
          if (bytes[at] !== COLON) throw unexpected(bytes, at);
        }
        words[count++] = name;
        at++;
        namesNext = false;
        continue;
      }
    } else if (namesNext) {
      throw unexpected(bytes, at);
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth === maxDepth) throw new JsonDepthError(maxDepth);
      const isObject = byte === OPEN_OBJECT;
      words[count] = (at << 3) | (isObject ? OBJECT : ARRAY);
      byte = bytes[++at]!;
      if (byte <= SPACE) {
        at = skipSpace(bytes, at, last) | 0;
        byte = bytes[at]!;
      }
      const isClosed = byte === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY);
      if (isClosed && depth > 0) {
        words[count + 1] = count + 3;
        words[count + 2] = at;
        count += 3;
        if (at === last) throw unexpected(bytes, bytes.length);
        at++;
      } else {
        words[count + 1] = container;
        container = count;
        count += 3;
        depth++;
        inObject = isObject;
        if (!isClosed) {
          namesNext = isObject;
          continue;
        }
      }
    } else if (byte === MINUS || isDigit(byte)) {
      for (;;) {
        words[count++] = (at << 3) | NUMBER;
        if (byte === MINUS) byte = bytes[++at]!;
        if (!isDigit(byte)) throw unexpected(bytes, at);
        if (byte === ZERO) byte = bytes[++at]!;
        else
          do byte = bytes[++at]!;
          while (isDigit(byte));
        if (byte === POINT) {
          if (!isDigit(bytes[++at]!)) throw unexpected(bytes, at);
          do byte = bytes[++at]!;
          while (isDigit(byte));
        }
        if ((byte | SPACE) === 0x65) {
          byte = bytes[++at]!;
          if (byte === PLUS || byte === MINUS) at++;
          if (!isDigit(bytes[at]!)) throw unexpected(bytes, at);
          while (isDigit(bytes[++at]!));
          byte = bytes[at]!;
        }
        if (byte !== COMMA || inObject || count + MOST_WORDS > room) break;
        const next = bytes[at + 1]!;
        if (next !== MINUS && !isDigit(next)) break;
        at++;
        byte = next;
      }
    } else {
      const kind = literalKind(bytes, view, at, last);
      words[count++] = (at << 3) | kind;
      at += kind === FALSE ? 5 : 4;
    }

    for (;;) {
      byte = bytes[at]!;
      if (byte <= SPACE) {
        at = skipSpace(bytes, at, last) | 0;
        byte = bytes[at]!;
      }
      if (byte === COMMA) {
        at++;
        namesNext = inObject;
        break;
      }
      if (byte !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) throw unexpected(bytes, at);
      const closed = container;
      container = words[closed + 1]!;
      words[closed + 1] = count;
      words[closed + 2] = at;
      if (--depth === 0) {
        if (at < last) throw unexpected(bytes, skipSpace(bytes, at + 1, last));
        return tape.finish(count);
      }
      if (at === last) throw unexpected(bytes, bytes.length);
      at++;
      inObject = (words[container]! & 7) === OBJECT;
    }
  }
}

/** The byte after an escape, which has to end before `limit`. */
function skipEscape(bytes: Buffer, backslash: number, limit: number): number {
  const at = backslash + 1;
  if (bytes[at] !== LETTER_U) {
    if (IS_ESCAPE[bytes[at]!] === 0) throw unexpected(bytes, at);
    return at + 1;
  }
  for (let digit = at + 1; digit <= at + 4; digit++) {
    if (digit > limit || IS_HEX_DIGIT[bytes[digit]!] === 0) throw unexpected(bytes, digit);
  }
  return at + 5;
}

/** Whether it is true, false or null that begins at a byte. */
function literalKind(bytes: Buffer, view: DataView, at: number, last: number): Kind {
  if (at + 4 <= last) {
    const word = view.getInt32(at, true);
    if (word === TRUE_WORD) return TRUE;
    if (word === NULL_WORD) return NULL;
    if (word === FALS_WORD && at + 4 < last && bytes[at + 4] === LETTER_E) return FALSE;
  }
  throw unexpectedInLiteral(bytes, at, last);
}

/** Where a word is no literal. */
function unexpectedInLiteral(bytes: Buffer, at: number, last: number): JsonSyntaxError {
  const byte = bytes[at]!;
  const word = ['true', 'false', 'null'].find((literal) => literal.charCodeAt(0) === byte) ?? '';
  for (let i = 1; i < word.length; i++) {
    if (at + i > last || bytes[at + i] !== word.charCodeAt(i)) return unexpected(bytes, at + i);
  }
  return unexpected(bytes, at);
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** The first byte from `start` on that is no space; `limit` if all before it are. */
function skipSpace(bytes: Buffer, start: number, limit: number): number {
  let at = start;
  while (at < limit && isSpace(bytes[at]!)) at++;
  return at;
}

/** The last byte that is no space; -1 if all are. */
function lastUsed(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at >= 0 && isSpace(bytes[at]!)) at--;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function unexpected(bytes: Buffer, at: number): JsonSyntaxError {
  return new JsonSyntaxError(at < bytes.length ? 'unexpected character' : 'unexpected end', at);
}

function byteSet(has: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(has(byte)));
}
