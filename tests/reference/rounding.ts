import type { Mask } from './masks.ts';
import { keyIdOf } from './model.ts';

/** More digits than this, written out, are masked by default. */
const LIMIT = 1000;

interface Exact {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly power: number;
}

/** `round(n)`; undefined where n is no positive number. */
export function roundTo(argument: string): Mask | undefined {
  const step = exact(argument);
  if (step === undefined || step.negative || step.digits === 0n) return undefined;
  return (value) => {
    const rounded = value.kind === 'number' ? round(value.text, step) : undefined;
    return rounded === undefined ? undefined : keyIdOf(rounded);
  };
}

function exact(text: string): Exact | undefined {
  const match = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text);
  if (match === null) return undefined;
  const [, minus, whole = '', fraction = '', exponent = '0'] = match;
  return {
    negative: minus === '-',
    digits: BigInt(whole + fraction),
    power: Number(exponent) - fraction.length,
  };
}

function round(text: string, step: Exact): string | undefined {
  const value = exact(text);
  if (value === undefined) return undefined;
  const size = String(value.digits).length + value.power;
  if (value.digits === 0n || size < step.power - LIMIT) return printed(0n, step.power, false);
  if (size > LIMIT) return undefined;
  const unit = Math.min(value.power, step.power);
  const amount = value.digits * 10n ** BigInt(value.power - unit);
  const one = step.digits * 10n ** BigInt(step.power - unit);
  const below = amount / one;
  const doubled = 2n * (amount % one);
  const isUp = doubled === one ? below % 2n === 1n : doubled > one;
  const result = printed((isUp ? below + 1n : below) * step.digits, step.power, value.negative);
  return result.replaceAll(/[-.]/g, '').length > LIMIT ? undefined : result;
}

function printed(digits: bigint, power: number, negative: boolean): string {
  const sign = negative && digits > 0n ? '-' : '';
  if (power >= 0) return sign + String(digits * 10n ** BigInt(power));
  const text = String(digits).padStart(1 - power, '0');
  return `${sign}${text.slice(0, power)}.${text.slice(power)}`;
}
