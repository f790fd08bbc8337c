import { isPlainInteger, type Decimal } from './decimal.ts';

const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const QUOTE = 0x22;
const LETTER_E = 0x65;

/** Different decimals with at most this many digits are different doubles, in the same order. */
const MAX_DIGITS = 15;
/** Far from the smallest and the largest double. */
const MAX_EXPONENT = 300;
const POWERS = Array.from({ length: MAX_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

/** How a number of few digits may be written: with a fraction, or only as an integer. */
type Spelling = 'decimal' | 'integer';

/**
 * Reads a number of few digits where it is in a text: most numbers are, and need not be decoded.
 *
 * @param start its first byte; in a string the byte after the quote
 * @param isInString whether a quote has to end it; a number that is none was scanned and is valid
 * @returns NaN if it is written otherwise, is no number at all, or is `-0`
 */
export function shortNumberAt(bytes: Buffer, start: number, isInString: boolean, spelling: Spelling): number {
  const stop = Math.min(bytes.length, start + MAX_DIGITS + 3);
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  let at = first;
  let point = -1;
  let number = 0;
  let byte = 0;
  for (; at < stop; at++) {
    byte = bytes[at]!;
    if (byte === POINT && point < 0 && spelling === 'decimal') point = at;
    else if (byte < ZERO || byte > NINE) break;
    else number = number * 10 + byte - ZERO;
  }
  if (at === stop && at < bytes.length) return NaN;
  if (isInString ? at === stop || byte !== QUOTE : (byte | 0x20) === LETTER_E || byte === POINT) return NaN;
  const whole = (point < 0 ? at : point) - first;
  const fraction = point < 0 ? 0 : at - point - 1;
  if (whole + fraction > MAX_DIGITS || whole === 0 || (point >= 0 && fraction === 0)) return NaN;
  if (whole > 1 && bytes[first] === ZERO) return NaN;
  if (isNegative && number === 0) return NaN;
  const magnitude = fraction === 0 ? number : number / POWERS[fraction]!;
  return isNegative ? -magnitude : magnitude;
}

/** A decimal as the double that a short number equal to it is read as; NaN if none is equal to it. */
export function doubleOf({ sign, digits, exponent }: Decimal): number {
  if (sign === 0) return 0;
  if (digits.length > MAX_DIGITS || typeof exponent !== 'number' || Math.abs(exponent) > MAX_EXPONENT)
    return NaN;
  return sign * Number(`0.${digits}e${exponent}`);
}

/** The same for a number given by its key. */
export function doubleOfKey(key: string): number {
  if (isPlainInteger(key)) return Number(key);
  const [sign, digits = '', exponent] = key.split(' ');
  return doubleOf({ sign: sign === '-1' ? -1 : 1, digits, exponent: Number(exponent) });
}
