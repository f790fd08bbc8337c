/** The grammar of numbers in JSON (RFC 8259), as a regular expression without anchors. */
export const NUMBER_FORM = String.raw`(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?`;
const NUMBER = new RegExp(`^${NUMBER_FORM}$`, 'u');

/** A number as it is written: ±digits × 10^power. */
export interface WrittenNumber {
  readonly isNegative: boolean;
  /** All digits but those of the exponent. */
  readonly digits: string;
  /** Exact up to 15 digits, infinite at worst. */
  readonly power: number;
}

/** @returns undefined if the text is no JSON number */
export function parseNumber(text: string): WrittenNumber | undefined {
  const match = NUMBER.exec(text);
  if (!match) return undefined;
  const [, minus, whole = '', fraction = '', exponent = '0'] = match;
  return {
    isNegative: minus === '-',
    digits: whole + fraction,
    power: Number(exponent) - fraction.length,
  };
}
