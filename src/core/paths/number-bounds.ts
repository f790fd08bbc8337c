import _ from 'lodash';
import { compareDecimals, compareTexts, type Decimal } from '../conditions/decimal.ts';
import { orderOfDigits } from './ranks.ts';

const POINT = 0x2e;
const ZERO = 0x30;

/** An integer that a fraction follows. */
export interface Whole {
  readonly sign: -1 | 1;
  /** How many digits it has; 0 if it is zero. */
  readonly length: number;
  /** How its digits compare with as many of each bound. */
  readonly orders: Int8Array;
  /** The same for integers that compare alike, whatever follows. */
  readonly key: string;
  /** Whether the bounds distinguish what follows even if that has no exponent. */
  readonly isNear: boolean;
}

/** The numbers that names may be compared with. */
export class NumberBounds {
  private readonly bounds: readonly Decimal[];
  /** Whether the exponents of all bounds are of few digits. */
  readonly areShort: boolean;

  constructor(bounds: readonly Decimal[]) {
    this.bounds = bounds
      .toSorted(compareDecimals)
      .filter((bound, at, all) => at === 0 || compareDecimals(bound, all[at - 1] ?? bound) !== 0);
    this.areShort = bounds.every(({ exponent }) => typeof exponent === 'number');
  }

  /** @param text an integer by the grammar of JSON */
  wholeOf(text: string): Whole {
    const sign = text.startsWith('-') ? -1 : 1;
    const digits = text.slice(sign < 0 ? 1 : 0).replace(/^0/u, '');
    const { length } = digits;
    const significant = _.trimEnd(digits, '0');
    const orders = Int8Array.from(this.bounds, (bound) => orderOf(digits, significant, bound.digits));
    const key = `${sign * (length + 1)} ${orders.join(' ')}`;
    const isNear = this.bounds.some((bound, at) => {
      if (bound.sign === 0 || length === 0) return length === 0 && (bound.sign === 0 || isBelowOne(bound));
      return bound.sign === sign && bound.exponent === length && orders[at] === 0;
    });
    return { sign, length, orders, key, isNear };
  }

  /**
   * The place among the bounds of a number sign × 0.digits × 10^exponent. A point among the digits is passed over.
   *
   * @param exponent if the first digit counts, even if that is zero
   */
  rank(bytes: Buffer, from: number, to: number, sign: -1 | 1, exponent: number): number {
    let first = from;
    let power = exponent;
    for (; first < to && (bytes[first] === ZERO || bytes[first] === POINT); first++)
      if (bytes[first] === ZERO) power--;
    const own = first === to ? 0 : sign;
    const { bounds } = this;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const bound = bounds[middle]!;
      let order = own - bound.sign;
      if (order === 0 && own !== 0)
        order = own * (magnitude(power, bound) || orderOfDigits(bytes, first, to, bound.digits));
      if (order === 0) return middle * 2 + 1;
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return low * 2;
  }

  /** The same for digits that follow an integer, with an exponent. */
  rankAfter(whole: Whole, bytes: Buffer, from: number, to: number, exponent: number): number {
    const { sign, length, orders } = whole;
    if (length === 0) return this.rank(bytes, from, to, sign, exponent);
    const { bounds } = this;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const bound = bounds[middle]!;
      const order =
        sign - bound.sign ||
        sign *
          (magnitude(length + exponent, bound) ||
            orders[middle]! ||
            orderOfDigits(bytes, from, to, bound.digits, length));
      if (order === 0) return middle * 2 + 1;
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return low * 2;
  }
}

/** @param exponent of few digits */
function magnitude(exponent: number, { exponent: other }: Decimal): number {
  return typeof other === 'number' ? exponent - other : -other.sign;
}

function isBelowOne({ exponent }: Decimal): boolean {
  return typeof exponent === 'number' ? exponent <= 0 : exponent.sign < 0;
}

/**
 * How the digits of an integer compare with as many of those of a bound, which has no zeros at its end.
 *
 * @param significant the digits without zeros at their end
 */
function orderOf(digits: string, significant: string, bound: string): number {
  if (bound.length < digits.length) return compareTexts(significant, bound);
  return compareTexts(digits, bound.slice(0, digits.length));
}
