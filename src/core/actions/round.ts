import { bracketed } from './bracketed.ts';
import { parseNumber, type WrittenNumber } from './json-number.ts';
import { scalarMask } from './scalar-mask.ts';

/** A number that would have more digits than this when it is rounded gets the default mask: its cost would not be bounded. */
const MAX_DIGITS = 1000;
/** People write steps: `1000`, `0.05`. */
const MAX_STEP_LENGTH = 100;
const MAX_STEP_POWER = 300;

const POSITIVE = String.raw`(?:[1-9]\d*(?:\.\d+)?|0\.0*[1-9]\d*)(?:e[+-]?\d+)?`;

/** What {@link parseStep} refuses of that, whatever the digits before the exponent. */
const TOO_MUCH = [
  String.raw`\S{${MAX_STEP_LENGTH + 1},}`,
  String.raw`[\d.]+e\+?0*(?:[4-9]\d\d|[1-9]\d{3,})`,
  String.raw`[\d.]+e-0*(?:30[1-9]|3[1-9]\d|[4-9]\d\d|[1-9]\d{3,})`,
].join('|');

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
  TOO_MUCH,
);

function parseStep(text: string): RoundingStep | undefined {
  const written = text.length <= MAX_STEP_LENGTH ? parseNumber(text) : undefined;
  if (!written || written.isNegative || Math.abs(written.power) > MAX_STEP_POWER) return undefined;
  const count = BigInt(written.digits);
  return count === 0n ? undefined : { count, power: written.power, length: String(count).length };
}

/**
 * Spells each result in one way, also that of a number that is a multiple already: its own spelling would show that.
 *
 * @param text a JSON number
 * @returns undefined if the result has too many digits
 */
function rounded(text: string, step: RoundingStep): string | undefined {
  const value = parseNumber(text);
  if (!value) return undefined;
  const { digits, power } = withoutZeros(value);
  const magnitude = digits.length + power;
  if (digits === '' || magnitude < step.length - 1 + step.power) return spelt(0n, step.power);
  if (magnitude - Math.min(step.power, 0) > MAX_DIGITS) return undefined;
  const amount = atMost(magnitude - step.power + 1, digits, power);
  const unit = Math.min(amount.power, step.power);
  const multiple = nearest(
    BigInt(amount.digits) * 10n ** BigInt(amount.power - unit),
    step.count * 10n ** BigInt(step.power - unit),
  );
  const result = spelt(multiple * step.count, step.power);
  if (result.replace('.', '').length > MAX_DIGITS) return undefined;
  return value.isNegative && multiple > 0n ? `-${result}` : result;
}

/**
 * As many digits as are needed to compare with half a step: of what follows, it matters only that it is more than nothing.
 *
 * @param digits without zeros at the end
 */
function atMost(count: number, digits: string, power: number): Pick<WrittenNumber, 'digits' | 'power'> {
  if (digits.length <= count) return { digits, power };
  return { digits: `${digits.slice(0, count)}1`, power: power + digits.length - count - 1 };
}

/** The number without zeros at either end. */
function withoutZeros({ digits, power }: WrittenNumber): Pick<WrittenNumber, 'digits' | 'power'> {
  let from = 0;
  let to = digits.length;
  while (from < to && digits[from] === '0') from++;
  while (from < to && digits[to - 1] === '0') to--;
  return { digits: digits.slice(from, to), power: power + digits.length - to };
}

/** How many steps are nearest to an amount, half to even. */
function nearest(amount: bigint, step: bigint): bigint {
  const count = amount / step;
  const rest = amount % step;
  const isUp = rest * 2n > step || (rest * 2n === step && count % 2n === 1n);
  return isUp ? count + 1n : count;
}

/** count × 10^power, with as many decimals as the power says. */
function spelt(count: bigint, power: number): string {
  if (power >= 0) return count === 0n ? '0' : `${count}${'0'.repeat(power)}`;
  const digits = String(count).padStart(1 - power, '0');
  return `${digits.slice(0, power)}.${digits.slice(power)}`;
}
