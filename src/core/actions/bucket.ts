import { compareDecimals, parseDecimal, type Decimal } from '../conditions/decimal.ts';
import { bracketed } from './bracketed.ts';
import { NUMBER_FORM, parseNumber } from './json-number.ts';
import { scalarMask } from './scalar-mask.ts';

interface Bound {
  /** As the policy writes it. */
  readonly text: string;
  readonly value: Decimal;
}

/** `bucket(18,65)`: the greatest of the bounds that is not above the value. */
export const bucket = bracketed(
  'bucket',
  {
    forms: ['bucket(a,b,…)'],
    example: { action: 'bucket(18,65)', before: '41', after: '18' },
    suits: 'Ages, incomes and scores in groups that the policy author chooses.',
    reveals: 'The group. A group with few members says much about each of them. Below the first bound, null.',
  },
  (argument) => {
    const bounds = parseBounds(argument);
    return bounds && scalarMask({ number: (number) => boundOf(number, bounds) });
  },
  String.raw`${NUMBER_FORM}(?:\s*,\s*${NUMBER_FORM})*`,
);

/** The bounds in ascending order. */
function parseBounds(text: string): readonly Bound[] | undefined {
  const bounds = text.split(',').flatMap((part) => parseBound(part.trim()) ?? []);
  if (bounds.length < text.split(',').length) return undefined;
  return bounds.toSorted((one, other) => compareDecimals(one.value, other.value));
}

function parseBound(text: string): Bound | undefined {
  const value = parseNumber(text) && parseDecimal(text);
  return value && { text, value };
}

function boundOf(number: string, bounds: readonly Bound[]): string | undefined {
  const value = parseDecimal(number);
  if (!value) return undefined;
  let above = bounds.length;
  for (let from = 0; from < above;) {
    const middle = Math.floor((from + above) / 2);
    const bound = bounds[middle];
    if (bound && compareDecimals(bound.value, value) <= 0) from = middle + 1;
    else above = middle;
  }
  return bounds[above - 1]?.text;
}
