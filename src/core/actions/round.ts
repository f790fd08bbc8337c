import { bracketed } from './bracketed.ts';
import { parseNumber, type WrittenNumber } from './json-number.ts';
import { scalarMask } from './scalar-mask.ts';

/** A number that would have more digits than this when it is rounded gets the default mask: its cost would not be bounded. */
const MAX_DIGITS = 1000;
/** People write steps: `1000`, `0.05`. */
const MAX_STEP_LENGTH = 100;
const MAX_STEP_POWER = 300;

const POSITIVE = String.raw`(?:[1-9]\d*(?:\.\d+)?|0\.0*[1-9]\d*)(?:e[+-]?\d+)?`;

/** What a number is rounded to a multiple of: count × 10^power. */
interface RoundingStep {
  readonly count: bigint;
  readonly power: number;
  /** How many digits `count` has. */
  readonly length: number;
}

/** `round(n)`: the nearest multiple of n, of two equally near ones the even multiple, in exact decimals. */
export const round = bracketed(
  'round',
  {
    forms: ['round(n)'],
    example: { action: 'round(1000)', before: '12500', after: '12000' },
    suits: 'Amounts in reports: the order of magnitude counts and the exact figure does not.',
    reveals: 'The value to within half a step. A step below the usual differences hides nothing.',
  },
  (argument) => {
    const step = parseStep(argument);
    return step && scalarMask({ number: (number) => rounded(number, step) });
  },
  POSITIVE,
);

function parseStep(text: string): RoundingStep | undefined {
  const written = text.length <= MAX_STEP_LENGTH ? parseNumber(text) : undefined;
  if (!written || written.isNegative || Math.abs(written.power) > MAX_STEP_POWER) return undefined;
  const count = BigInt(written.digits);
  return count === 0n ? undefined : { count, power: written.power, length: String(count).length };
}

/**
 * @param text a JSON number
 * @returns the same text if it is a multiple; undefined if the result has too many digits
 */
function rounded(text: string, step: RoundingStep): string | undefined {
  const value = parseNumber(text);
  if (!value) return undefined;
  const { digits, power } = withoutZeros(value);
  if (digits === '') return text;
  if (digits.length + power < step.length - 1 + step.power) return spelt(0n, step.power);
  if (digits.length > MAX_DIGITS) return undefined;
  if (digits.length + power - step.power > MAX_DIGITS)
    return isMultiple(digits, power, step) ? text : undefined;
  const unit = Math.min(power, step.power);
  const multiple = nearest(
    BigInt(digits) * 10n ** BigInt(power - unit),
    step.count * 10n ** BigInt(step.power - unit),
  );
  if (multiple === undefined) return text;
  const result = spelt(multiple * step.count, step.power);
  return value.isNegative && multiple > 0n ? `-${result}` : result;
}

/** The number without zeros at either end. */
function withoutZeros({ digits, power }: WrittenNumber): Pick<WrittenNumber, 'digits' | 'power'> {
  let from = 0;
  let to = digits.length;
  while (from < to && digits[from] === '0') from++;
  while (from < to && digits[to - 1] === '0') to--;
  return { digits: digits.slice(from, to), power: power + digits.length - to };
}

/** Whether a number that is too large to be written out is a multiple, found without writing it out. */
function isMultiple(digits: string, power: number, step: RoundingStep): boolean {
  // So large a power of ten is a multiple of each step that divides any power of ten. For other steps it is unknown.
  if (!Number.isSafeInteger(power)) return power > 0 && 10n ** BigInt(4 * step.length) % step.count === 0n;
  return (BigInt(digits) * powerOfTen(power - step.power, step.count)) % step.count === 0n;
}

/** 10^exponent modulo `modulus`, by repeated squaring. */
function powerOfTen(exponent: number, modulus: bigint): bigint {
  let result = 1n;
  let factor = 10n % modulus;
  for (let rest = BigInt(exponent); rest > 0n; rest /= 2n) {
    if (rest % 2n === 1n) result = (result * factor) % modulus;
    factor = (factor * factor) % modulus;
  }
  return result;
}

/** How many steps are nearest to an amount, half to even; undefined if it consists of whole steps. */
function nearest(amount: bigint, step: bigint): bigint | undefined {
  const count = amount / step;
  const rest = amount % step;
  if (rest === 0n) return undefined;
  const isUp = rest * 2n > step || (rest * 2n === step && count % 2n === 1n);
  return isUp ? count + 1n : count;
}

/** count × 10^power, with as many decimals as the power says. */
function spelt(count: bigint, power: number): string {
  if (power >= 0) return count === 0n ? '0' : `${count}${'0'.repeat(power)}`;
  const digits = String(count).padStart(1 - power, '0');
  return `${digits.slice(0, power)}.${digits.slice(power)}`;
}
