const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** The first bytes of UTF-8 sequences of two, three and four bytes are not less than these. */
const TWO_BYTES = 0xc0;
const THREE_BYTES = 0xe0;
const FOUR_BYTES = 0xf0;
const FIRST_SUPPLEMENTARY = 0x10000;

/** The code unit that a character after a backslash means. */
const MEANING = new Uint16Array(256);
for (const [escape, meant] of ['b\b', 'f\f', 'n\n', 'r\r', 't\t', '""', '\\\\', '//']) {
  MEANING[escape!.charCodeAt(0)] = meant!.charCodeAt(0);
}

/** How many bytes without an escape are copied one by one. The rest of the run is copied by a native call, which costs more to begin. */
const LONG_RUN = 24;

/** Code units are collected here, and become a string when it is full: a buffer for each string would cost more. */
const UNITS = new Uint16Array(4096);
const UNIT_BYTES = Buffer.from(UNITS.buffer);
/** So few become a string one by one: a native call costs more. */
const FEW_UNITS = 12;
/** What one step of the loop writes at most: a surrogate pair. */
const MOST_UNITS = 2;

/**
 * The text of a JSON string with escapes. Time and memory are linear in its length. A `\uXXXX` escape is one UTF-16 code
 * unit, so lone surrogates stay.
 *
 * `JSON.parse` would do the same, but Node 26 can confuse names with escapes between calls (nodejs/node#63785).
 *
 * @param bytes valid UTF-8
 * @param start the byte after the opening quote
 * @param end the closing quote; the string between them was scanned and is valid
 */
export function unescaped(bytes: Buffer, start: number, end: number): string {
  let text = '';
  let size = 0;
  let run = 0;
  let at = start;
  while (at < end) {
    if (run >= LONG_RUN || size + MOST_UNITS > UNITS.length) {
      text += textOfUnits(size);
      const next = run >= LONG_RUN ? endOfRun(bytes, at, end) : at;
      text += bytes.toString('utf8', at, next);
      at = next;
      size = 0;
      run = 0;
      continue;
    }
    const byte = bytes[at]!;
    run++;
    if (byte === BACKSLASH) {
      UNITS[size++] = escapedUnitAt(bytes, at);
      at += sizeOfEscape(bytes, at);
      run = 0;
    } else if (byte < TWO_BYTES) {
      UNITS[size++] = byte;
      at++;
    } else {
      size = writeCharacter(size, characterAt(bytes, at, byte));
      at += sizeOfCharacter(byte);
    }
  }
  return text + textOfUnits(size);
}

/** The first of the units that were collected. */
function textOfUnits(size: number): string {
  if (size > FEW_UNITS) return UNIT_BYTES.toString('utf16le', 0, size * 2);
  let text = '';
  for (let at = 0; at < size; at++) text += String.fromCharCode(UNITS[at]!);
  return text;
}

/** The next backslash of a string, or its end. */
function endOfRun(bytes: Buffer, at: number, end: number): number {
  const distance = bytes.subarray(at, end).indexOf(BACKSLASH);
  return distance < 0 ? end : at + distance;
}

/** The code unit that an escape stands for: `\` and what follows it at a byte. */
export function escapedUnitAt(bytes: Buffer, backslash: number): number {
  const letter = bytes[backslash + 1]!;
  return letter === LETTER_U ? unitAt(bytes, backslash + 2) : MEANING[letter]!;
}

/** How many bytes an escape takes. */
export function sizeOfEscape(bytes: Buffer, backslash: number): number {
  return bytes[backslash + 1] === LETTER_U ? 6 : 2;
}

/** How many bytes a character takes that is no escape, by its first byte. */
export function sizeOfCharacter(first: number): number {
  if (first < TWO_BYTES) return 1;
  return first < THREE_BYTES ? 2 : first < FOUR_BYTES ? 3 : 4;
}

/** The four hexadecimal digits of a `\u` escape. */
function unitAt(bytes: Buffer, at: number): number {
  return (
    (digitOf(bytes[at]!) << 12) |
    (digitOf(bytes[at + 1]!) << 8) |
    (digitOf(bytes[at + 2]!) << 4) |
    digitOf(bytes[at + 3]!)
  );
}

function digitOf(byte: number): number {
  return byte < 0x40 ? byte - 0x30 : (byte | 32) - 0x57;
}

/** The code point of a sequence of two, three or four bytes. */
export function characterAt(bytes: Buffer, at: number, first: number): number {
  if (first < THREE_BYTES) return ((first & 0x1f) << 6) | rest(bytes, at + 1);
  if (first < FOUR_BYTES) return ((first & 0x0f) << 12) | (rest(bytes, at + 1) << 6) | rest(bytes, at + 2);
  return (
    ((first & 0x07) << 18) | (rest(bytes, at + 1) << 12) | (rest(bytes, at + 2) << 6) | rest(bytes, at + 3)
  );
}

function rest(bytes: Buffer, at: number): number {
  return bytes[at]! & 0x3f;
}

/** @returns how many units there are now */
function writeCharacter(size: number, character: number): number {
  if (character < FIRST_SUPPLEMENTARY) {
    UNITS[size] = character;
    return size + 1;
  }
  const offset = character - FIRST_SUPPLEMENTARY;
  UNITS[size] = 0xd800 | (offset >> 10);
  UNITS[size + 1] = 0xdc00 | (offset & 0x3ff);
  return size + 2;
}
