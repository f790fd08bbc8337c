const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,15}))?$/u;

/** A decimal number of any size, exact: sign × 0.digits × 10^exponent. Zero has no sign and no digits. */
export interface Decimal {
  readonly sign: -1 | 0 | 1;
  /** Without zeros at either end. */
  readonly digits: string;
  readonly exponent: number;
}

/**
 * Reads a decimal number, spelt as in JSON (leading zeros are allowed).
 *
 * @returns undefined where the text is no such number or its exponent has more than fifteen digits
 */
export function parseDecimal(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, minus, whole = '', fraction = '', exponent = '0'] = match;
  const all = whole + fraction;
  const leading = all.length - trimStart(all).length;
  const digits = trimEnd(all.slice(leading));
  if (digits === '') return { sign: 0, digits, exponent: 0 };
  return { sign: minus ? -1 : 1, digits, exponent: Number(exponent) + whole.length - leading };
}

/** Negative where `a` is less than `b`, 0 where they are equal. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign;
  const magnitude = a.exponent === b.exponent ? compareTexts(a.digits, b.digits) : a.exponent - b.exponent;
  return a.sign * magnitude;
}

/** By UTF-16 code units; without zeros at the end, digits behind a point compare as texts do. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function trimStart(digits: string): string {
  return digits.slice(countWhile(digits, (i) => i));
}

function trimEnd(digits: string): string {
  return digits.slice(0, digits.length - countWhile(digits, (i) => digits.length - 1 - i));
}

/** How many zeros stand in a row, read in the order that `indexOf` tells. */
function countWhile(digits: string, indexOf: (i: number) => number): number {
  let count = 0;
  while (count < digits.length && digits[indexOf(count)] === '0') count++;
  return count;
}
