export const DECIMAL = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?)(\d+))?$/u;
/** Integers of at most this many digits are safe, also after the length of a number is added. */
const SAFE_DIGITS = 15;

/** A decimal number of any size, exact: sign × 0.digits × 10^exponent. Zero has no sign and no digits. */
export interface Decimal {
  readonly sign: -1 | 0 | 1;
  /** Without zeros at either end. */
  readonly digits: string;
  readonly exponent: Exponent;
}

/** An integer of at most fifteen digits, or a longer one as its sign and its digits without leading zeros. */
type Exponent = number | { readonly sign: -1 | 1; readonly digits: string };

/**
 * Reads a decimal number by the grammar of JSON. The cost is linear in the length of the text.
 *
 * @returns undefined if the text is no such number
 */
export function parseDecimal(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, minus, whole = '', fraction = '', exponentSign = '', exponent = '0'] = match;
  const all = whole + fraction;
  const first = countZeros(all, (i) => i);
  if (first === all.length) return { sign: 0, digits: '', exponent: 0 };
  const digits = all.slice(first, all.length - countZeros(all, (i) => all.length - 1 - i));
  return {
    sign: minus ? -1 : 1,
    digits,
    exponent: exponentFrom(exponentSign === '-' ? -1 : 1, exponent, whole.length - first),
  };
}

/** Negative if `a` is less than `b`, 0 if they are equal. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign;
  const magnitude = compareExponents(a.exponent, b.exponent) || compareTexts(a.digits, b.digits);
  return a.sign * magnitude;
}

/** Integers of at most fifteen digits as they are written most often: they are their own key. */
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d{0,14})$/u;

/** Whether a text is an integer of few digits, and the only way to write it without a fraction or exponent. */
export function isPlainInteger(text: string): boolean {
  return PLAIN_INTEGER.test(text);
}

/**
 * The key of a number that is written in full ({@link decimalKey}).
 *
 * @returns undefined if the text is no number
 */
export function decimalKeyOf(text: string): string | undefined {
  if (isPlainInteger(text)) return text;
  const decimal = parseDecimal(text);
  return decimal && decimalKey(decimal);
}

/** The same text for equal numbers, and another one for others. */
function decimalKey({ sign, digits, exponent }: Decimal): string {
  if (sign === 0) return '0';
  if (typeof exponent === 'number' && exponent >= digits.length && exponent <= SAFE_DIGITS)
    return (sign < 0 ? '-' : '') + digits.padEnd(exponent, '0');
  if (typeof exponent === 'number') return `${sign} ${digits} ${exponent}`;
  return `${sign} ${digits} ${exponent.sign < 0 ? '-' : ''}${exponent.digits}`;
}

/** By UTF-16 code units; without zeros at the end, digits after a point compare as texts do. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function exponentFrom(sign: -1 | 1, text: string, shift: number): Exponent {
  const digits = text.slice(countZeros(text, (i) => i));
  if (digits.length > SAFE_DIGITS) return normalized(sign, shifted(digits, sign * shift));
  const exponent = sign * Number(digits) + shift;
  return normalized(exponent < 0 ? -1 : 1, String(Math.abs(exponent)));
}

function normalized(sign: -1 | 1, digits: string): Exponent {
  return digits.length > SAFE_DIGITS ? { sign, digits } : sign * Number(digits);
}

/** Adds a number of at most nine digits to a positive integer of more than fifteen digits. */
function shifted(digits: string, shift: number): string {
  const low = Number(digits.slice(-SAFE_DIGITS)) + shift;
  const high = digits.slice(0, -SAFE_DIGITS);
  const limit = 10 ** SAFE_DIGITS;
  if (low < 0) return plusOne(high, '0', '9', -1) + String(low + limit).padStart(SAFE_DIGITS, '0');
  if (low >= limit) return plusOne(high, '9', '0', 1) + String(low - limit).padStart(SAFE_DIGITS, '0');
  return high + String(low).padStart(SAFE_DIGITS, '0');
}

/** Adds 1 or -1 to a positive integer; digits equal to `full` overflow to `empty` and carry on. */
function plusOne(digits: string, full: string, empty: string, step: 1 | -1): string {
  let at = digits.length - 1;
  while (at >= 0 && digits[at] === full) at--;
  const rest = empty.repeat(digits.length - 1 - at);
  if (at < 0) return `1${rest}`;
  const sum = digits.slice(0, at) + String(Number(digits[at]) + step) + rest;
  return sum.slice(countZeros(sum, (i) => i));
}

function compareExponents(a: Exponent, b: Exponent): number {
  if (typeof a === 'number') return typeof b === 'number' ? Math.sign(a - b) : -b.sign;
  if (typeof b === 'number') return a.sign;
  if (a.sign !== b.sign) return a.sign;
  return a.sign * (a.digits.length - b.digits.length || compareTexts(a.digits, b.digits));
}

/** How many zeros follow one another, read in the order that `indexOf` gives. */
function countZeros(digits: string, indexOf: (i: number) => number): number {
  let count = 0;
  while (count < digits.length && digits[indexOf(count)] === '0') count++;
  return count;
}
