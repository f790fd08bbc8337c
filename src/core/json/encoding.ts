import { isUtf8 } from 'node:buffer';
import { JsonSyntaxError } from './syntax-error.ts';

const BYTE_ORDER_MARK = Buffer.from('\u{feff}');
/** The most bytes that a character takes. */
const LONGEST = 4;

/**
 * Requires UTF-8 without a byte order mark, as JSON has it (RFC 8259, section 8.1).
 *
 * @throws JsonSyntaxError at the first byte that breaks this
 */
export function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new JsonSyntaxError('invalid UTF-8', firstInvalid(bytes));
  if (bytes[0] === BYTE_ORDER_MARK[0] && bytes.indexOf(BYTE_ORDER_MARK) === 0)
    throw new JsonSyntaxError('a byte order mark', 0);
}

/** Halves what can hold the first invalid character until that is short, so it reads the text about twice. */
function firstInvalid(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 4 * LONGEST) {
    const middle = startOfCharacter(bytes, (valid + invalid) >> 1);
    if (isUtf8(bytes.subarray(valid, middle))) valid = middle;
    else invalid = middle;
  }
  for (let size = sizeAt(bytes, valid); size > 0; size = sizeAt(bytes, valid)) valid += size;
  return valid;
}

function startOfCharacter(bytes: Buffer, at: number): number {
  let start = at;
  while (at - start < LONGEST && isContinuation(bytes[start])) start--;
  return start;
}

function isContinuation(byte = 0): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** How many bytes the character takes; 0 if none begins here. */
function sizeAt(bytes: Buffer, at: number): number {
  for (let end = at + 1; end <= Math.min(at + LONGEST, bytes.length); end++)
    if (isUtf8(bytes.subarray(at, end))) return end - at;
  return 0;
}
