import { withDigits } from './mantissa.ts';
import { masked, type PartialMask } from './partial-mask.ts';

const DIGIT = '9';

/**
 * Masks the digits of a number (enforcement §7).
 *
 * @param text a JSON number
 */
export function maskNumber(text: string, mask: PartialMask): string {
  return withDigits(text, (digits) => masked(digits.split(''), mask, digitOf(mask)));
}

function digitOf({ character }: PartialMask): string {
  return character !== undefined && /^\d$/u.test(character) ? character : DIGIT;
}

/** How many digits of a number count. */
export function digitsIn(text: string): number {
  return text.replace(/[eE].*$/u, '').replaceAll(/[-.]/gu, '').length;
}
