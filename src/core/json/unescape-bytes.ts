import { escapedUnitAt, sizeOfEscape } from './unescape.ts';

const BACKSLASH = 0x5c;

/**
 * Writes what a string with escapes says, which takes no more bytes than the string. A lone surrogate becomes the bytes that it would
 * have in UTF-8 if it were a character; no other text contains these.
 *
 * @param start the byte after the opening quote
 * @param end the closing quote; the string between them was scanned and is valid
 * @param to where to write in `target`, which has room
 * @returns the byte after what was written
 */
export function unescapeBytes(bytes: Buffer, start: number, end: number, target: Buffer, to: number): number {
  let written = to;
  for (let at = start; at < end;) {
    const byte = bytes[at]!;
    if (byte !== BACKSLASH) {
      target[written++] = byte;
      at++;
      continue;
    }
    const unit = escapedUnitAt(bytes, at);
    at += sizeOfEscape(bytes, at);
    const low = isHigh(unit) && bytes[at] === BACKSLASH ? escapedUnitAt(bytes, at) : 0;
    const isPair = low >= 0xdc00 && low <= 0xdfff;
    if (isPair) at += sizeOfEscape(bytes, at);
    const character = isPair ? 0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00 : unit;
    written = writeCharacter(target, written, character);
  }
  return written;
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
