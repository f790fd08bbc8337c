const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** The first bytes of UTF-8 sequences of two, three and four bytes are not less than these. */
const TWO_BYTES = 0xc0;
const THREE_BYTES = 0xe0;
const FOUR_BYTES = 0xf0;
const FIRST_SUPPLEMENTARY = 0x10000;

/** What follows a backslash, and the code unit that it means. */
const ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/' }).map(
    ([escape, meant]) => [escape.charCodeAt(0), meant.charCodeAt(0)],
  ),
);

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
  // A sequence of UTF-8 never has fewer bytes than UTF-16 has code units for it, and each unit takes two bytes.
  const units = Buffer.allocUnsafe((end - start) * 2);
  let size = 0;
  let at = start;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === BACKSLASH) {
      const isUnit = bytes[at + 1] === LETTER_U;
      const unit = isUnit ? unitAt(bytes, at + 2) : ESCAPES.get(bytes[at + 1]!)!;
      size = units.writeUInt16LE(unit, size);
      at += isUnit ? 6 : 2;
    } else if (byte < TWO_BYTES) {
      size = units.writeUInt16LE(byte, size);
      at++;
    } else {
      size = writeCharacter(units, size, characterAt(bytes, at, byte));
      at += byte < THREE_BYTES ? 2 : byte < FOUR_BYTES ? 3 : 4;
    }
  }
  return units.toString('utf16le', 0, size);
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
function characterAt(bytes: Buffer, at: number, first: number): number {
  if (first < THREE_BYTES) return ((first & 0x1f) << 6) | rest(bytes, at + 1);
  if (first < FOUR_BYTES) return ((first & 0x0f) << 12) | (rest(bytes, at + 1) << 6) | rest(bytes, at + 2);
  return (
    ((first & 0x07) << 18) | (rest(bytes, at + 1) << 12) | (rest(bytes, at + 2) << 6) | rest(bytes, at + 3)
  );
}

function rest(bytes: Buffer, at: number): number {
  return bytes[at]! & 0x3f;
}

/** @returns the byte after what was written */
function writeCharacter(units: Buffer, at: number, character: number): number {
  if (character < FIRST_SUPPLEMENTARY) return units.writeUInt16LE(character, at);
  const offset = character - FIRST_SUPPLEMENTARY;
  units.writeUInt16LE(0xd800 | (offset >> 10), at);
  return units.writeUInt16LE(0xdc00 | (offset & 0x3ff), at + 2);
}
