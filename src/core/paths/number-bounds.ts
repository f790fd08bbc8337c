import _ from 'lodash';
import { compareDecimals, type Decimal } from '../conditions/decimal.ts';
import { orderOfDigits, rankBy } from './ranks.ts';

const POINT = 0x2e;
const ZERO = 0x30;
/** Whole parts of at most this many digits are not told apart from each other by what is asked of an exponent. */
export const MAX_WHOLE = 64;

/** The numbers that names may be compared with. */
export class NumberBounds {
  private readonly bounds: readonly Decimal[];
  /** Those of their exponents that are of few digits, each once, in order. */
  private readonly exponents: readonly number[];
  /** Whether the exponents of all bounds are of few digits. */
  readonly areShort: boolean;

  constructor(bounds: readonly Decimal[]) {
    this.bounds = bounds.toSorted(compareDecimals);
    const exponents = bounds.flatMap(({ exponent }) => (typeof exponent === 'number' ? [exponent] : []));
    this.exponents = _.uniq(exponents).toSorted((a, b) => a - b);
    this.areShort = exponents.length === bounds.length;
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
    const { bounds } = this;
    return rankBy(bounds.length, (at) => orderWith(bounds[at]!, bytes, first, to, sign, power));
  }

  /**
   * What matters of an exponent that follows a fraction, whatever the whole part before the fraction.
   * It moves the point by as many digits, so it counts exactly if the whole part can be as long as a bound is then.
   */
  placeOfExponent(exponent: number): number {
    const { exponents } = this;
    const above = _.sortedLastIndex(exponents, exponent);
    const next = exponents[above];
    const distance = next === undefined ? Infinity : next - exponent;
    return above * (MAX_WHOLE + 1) + (distance <= MAX_WHOLE ? distance : 0);
  }

  /** The same for a whole part of that many digits. */
  rankOfExponent(exponent: number, length: number): number {
    const { exponents } = this;
    return rankBy(exponents.length, (at) => exponent + length - exponents[at]!);
  }
}

/** @param from the first digit that is not zero; `to` if there is none */
function orderWith(
  bound: Decimal,
  bytes: Buffer,
  from: number,
  to: number,
  sign: -1 | 1,
  exponent: number,
): number {
  const own = from === to ? 0 : sign;
  if (own !== bound.sign || own === 0) return own - bound.sign;
  const other = bound.exponent;
  const magnitude = typeof other === 'number' ? exponent - other : -other.sign;
  return own * (magnitude === 0 ? orderOfDigits(bytes, from, to, bound.digits) : magnitude);
}
