/**
 * Changes the digits of a number that count: sign, point and exponent stay (docs/enforcement.md). Zeros that the change puts in
 * front are dropped.
 *
 * @param text a JSON number
 * @param change gets the digits and returns the same number of digits
 * @returns a JSON number
 */
export function withDigits(text: string, change: (digits: string) => string): string {
  const [, sign = '', mantissa = '', exponent = ''] = /^(-?)([\d.]+)(.*)$/u.exec(text) ?? [];
  const digits = change(mantissa.replace('.', ''));
  const point = mantissa.indexOf('.');
  const whole = point < 0 ? digits : digits.slice(0, point);
  const fraction = point < 0 ? '' : `.${digits.slice(point)}`;
  return `${sign}${withoutLeadingZeros(whole)}${fraction}${exponent}`;
}

function withoutLeadingZeros(digits: string): string {
  const first = digits.search(/[^0]/u);
  return first < 0 ? '0' : digits.slice(first);
}
