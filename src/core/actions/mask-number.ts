import { masked, type PartialMask } from './partial.ts';

const DIGIT = '9';

/**
 * Masks the digits of a number; sign, point and exponent stay (enforcement §7).
 *
 * @param text a JSON number
 * @returns a JSON number: zeros that the mask puts in front are dropped
 */
export function maskNumber(text: string, mask: PartialMask): string {
  const [, sign = '', mantissa = '', exponent = ''] = /^(-?)([\d.]+)(.*)$/u.exec(text) ?? [];
  const shown = masked(mantissa.replace('.', '').split(''), mask, digitOf(mask));
  const point = mantissa.indexOf('.');
  const whole = point < 0 ? shown : shown.slice(0, point);
  const fraction = point < 0 ? '' : `.${shown.slice(point)}`;
  return `${sign}${withoutLeadingZeros(whole)}${fraction}${exponent}`;
}

function digitOf({ character }: PartialMask): string {
  return character !== undefined && /^\d$/u.test(character) ? character : DIGIT;
}

function withoutLeadingZeros(digits: string): string {
  const first = digits.search(/[^0]/u);
  return first < 0 ? '0' : digits.slice(first);
}
