import type { Decimal } from '../conditions/decimal.ts';
import { parseInstant, type Instant } from '../conditions/instant.ts';
import { daysAt, twoDigitsAt } from '../conditions/short-instant.ts';
import { DigitPlaces } from './digit-places.ts';
import { InstantBounds } from './instant-bounds.ts';
import { NumberBounds } from './number-bounds.ts';
import type { Pairs } from './pairs.ts';
import { hasNonZeroDigit } from './ranks.ts';

/** The numbers and instants that paths are compared with. */
export interface TypedBounds {
  readonly numbers: readonly Decimal[];
  readonly instants: readonly Instant[];
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const LETTER_E = 0x65;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

const DATE_LENGTH = 10;
const DAY = 86_400;
/** Exponents of more digits count as one that is larger than all of fewer. */
const SAFE_DIGITS = 15;
const HUGE = 1e16;
const MAX_OFFSET_HOURS = 23;
/** Seconds near these are exact, too. */
const EXACT = 2 ** 52;

/** What a name may be, as the first of a pair: another one for each kind that matters in another way. */
const NONE = 0;
const EMPTY = 1;
const INTEGER = 2;
const NEGATIVE_INTEGER = 3;
const FRACTION = 4;
const NUMBER = 5;
const EXPONENT = 6;
const FRACTION_ONLY = 7;
const INSTANT = 8;
const SECOND = 9;
const NEAR_SECOND = 10;
const OFFSET = 11;
const END_OF_DAY = 12;
const NEAR_END_OF_DAY = 13;
const LAST_SECOND = 14;

const SECONDS_END = /T\d{2}:\d{2}:\d{2}$/u;
const LEAP_SECOND_END = /T\d{2}:\d{2}:60$/u;

/**
 * Sorts names of which numbers and instants consist into classes: paths that differ in names of one class compare alike with all
 * bounds.
 *
 * A number or an instant has at most one dot. So a name is all of it; or a whole part, which a fraction follows; or a fraction, which
 * may have an exponent or an offset at its end.
 */
export class TypedNames {
  private readonly pairs: Pairs;
  private readonly numbers: NumberBounds | undefined;
  private readonly places: DigitPlaces;
  private readonly instants: InstantBounds | undefined;

  constructor({ numbers, instants }: TypedBounds, pairs: Pairs) {
    this.pairs = pairs;
    if (numbers.length > 0) this.numbers = new NumberBounds(numbers);
    this.places = new DigitPlaces(numbers.map(({ digits }) => digits));
    if (instants.length > 0) this.instants = new InstantBounds(instants);
  }

  /**
   * The class of a name in a text.
   *
   * @param start its first byte; a quote follows its last
   * @param longWholes of how many digits the whole parts may be that come before, except those of few digits
   * @param isLast whether it ends the path
   * @returns undefined if no other name is in its class
   */
  at(bytes: Buffer, start: number, longWholes: readonly number[], isLast: boolean): number | undefined {
    const first = bytes[start];
    if (first === QUOTE) return EMPTY;
    if (first === PLUS) return this.otherInstant(bytes, start, isLast);
    const from = first === MINUS ? start + 1 : start;
    const to = digitsEnd(bytes, from);
    if (to === from) return NONE;
    const next = bytes[to]!;
    if (next === QUOTE) return this.ofInteger(bytes, from, to, from > start);
    if (next === POINT) return this.ofFraction(bytes, from, to, from > start);
    if ((next | 0x20) === LETTER_E) return this.ofExponent(bytes, from, to, from > start, longWholes);
    if (this.instants === undefined) return NONE;
    if (from > start) return this.otherInstant(bytes, start, isLast);
    const [offset, end] = offsetAt(bytes, to);
    if (bytes[end] === QUOTE && end > to) return this.ofOffset(bytes, from, to, offset);
    return to - from === 4 ? this.ofInstant(bytes, start, isLast) : NONE;
  }

  private ofInteger(bytes: Buffer, from: number, to: number, isNegative: boolean): number | undefined {
    const { numbers, pairs } = this;
    const like = numbers && this.integerIn(numbers, bytes, from, to, isNegative);
    if (this.instants === undefined || isNegative) return numbers ? like : NONE;
    const fraction = this.instants.rankOfFraction(bytes, from, to);
    return pairs.of(numbers ? like : FRACTION_ONLY, fraction);
  }

  private integerIn(
    numbers: NumberBounds,
    bytes: Buffer,
    from: number,
    to: number,
    isNegative: boolean,
  ): number | undefined {
    const { pairs, places } = this;
    if (mayBeWhole(bytes, from, to)) {
      const whole = pairs.of(isNegative ? NEGATIVE_INTEGER : INTEGER, to - from);
      return pairs.of(whole, places.of(bytes, from, to));
    }
    return isNegative ? NONE : this.fractionIn(numbers, bytes, from, to, [FRACTION, 0]);
  }

  /** Digits after the point of any whole part. If that is zero, nothing else comes before them. */
  private fractionIn(
    numbers: NumberBounds,
    bytes: Buffer,
    from: number,
    to: number,
    [kind, exponent]: readonly [kind: number, exponent: number],
  ): number | undefined {
    const { pairs, places } = this;
    const positive = pairs.of(kind, numbers.rank(bytes, from, to, 1, exponent));
    const both = pairs.of(positive, numbers.rank(bytes, from, to, -1, exponent));
    return pairs.of(both, places.of(bytes, from, to));
  }

  private ofFraction(bytes: Buffer, from: number, point: number, isNegative: boolean): number | undefined {
    const { numbers } = this;
    const to = digitsEnd(bytes, point + 1);
    if (numbers === undefined || to === point + 1 || !mayBeWhole(bytes, from, point)) return NONE;
    const exponent = exponentAt(bytes, to);
    if (exponent === undefined) return NONE;
    if (exponent !== 0 && !numbers.areShort) return undefined;
    const rank = numbers.rank(bytes, from, to, isNegative ? -1 : 1, point - from + exponent);
    return this.pairs.of(NUMBER, rank);
  }

  private ofExponent(
    bytes: Buffer,
    from: number,
    to: number,
    isNegative: boolean,
    longWholes: readonly number[],
  ): number | undefined {
    const { numbers, pairs } = this;
    const exponent = exponentAt(bytes, to);
    if (numbers === undefined || exponent === undefined) return NONE;
    if (!numbers.areShort) return undefined;
    const isWhole = mayBeWhole(bytes, from, to);
    if (isNegative && !isWhole) return NONE;
    const rank = isWhole ? numbers.rank(bytes, from, to, isNegative ? -1 : 1, to - from + exponent) + 1 : 0;
    if (isNegative) return pairs.of(NUMBER, rank - 1);
    let like = pairs.of(this.fractionIn(numbers, bytes, from, to, [EXPONENT, exponent]), rank);
    like = pairs.of(like, numbers.placeOfExponent(exponent));
    for (const length of longWholes) like = pairs.of(like, numbers.rankOfExponent(exponent, length));
    return like;
  }

  /** The fraction of a second, with an offset. */
  private ofOffset(bytes: Buffer, from: number, to: number, offset: number): number | undefined {
    if (this.instants === undefined || Number.isNaN(offset)) return NONE;
    const like = this.pairs.of(OFFSET, offset / 60 + DAY);
    return this.pairs.of(like, this.instants.rankOfFraction(bytes, from, to));
  }

  /** An instant of a year of four digits. */
  private ofInstant(bytes: Buffer, start: number, isLast: boolean): number | undefined {
    const { instants, pairs } = this;
    if (instants === undefined) return NONE;
    const midnight = daysAt(bytes, start) * DAY;
    let at = start + DATE_LENGTH;
    if (Number.isNaN(midnight)) return NONE;
    if (bytes[at] === QUOTE) return pairs.of(INSTANT, instants.rank(bytes, midnight, 0, 0));
    if (bytes[at] !== LETTER_T) return NONE;
    const hours = twoDigitsAt(bytes, at + 1);
    let minutes = 0;
    let seconds = 0;
    let from = 0;
    let to = 0;
    at += 3;
    const hasMinutes = bytes[at] === COLON;
    if (hasMinutes) {
      minutes = twoDigitsAt(bytes, at + 1);
      at += 3;
    }
    const hasSeconds = hasMinutes && bytes[at] === COLON;
    if (hasSeconds) {
      seconds = twoDigitsAt(bytes, at + 1);
      at += 3;
    }
    if (seconds === 60) return this.otherInstant(bytes, start, isLast);
    if (hasSeconds && (bytes[at] === POINT || bytes[at] === COMMA)) {
      from = at + 1;
      to = digitsEnd(bytes, from);
      if (to === from) return NONE;
      at = to;
    }
    const [offset, end] = offsetAt(bytes, at);
    if (bytes[end] !== QUOTE || Number.isNaN(offset)) return NONE;
    const time = (hours * 60 + minutes) * 60 + seconds;
    const isEnd = hours === 24;
    const isTime = isEnd
      ? time === DAY && !hasNonZeroDigit(bytes, from, to)
      : hours < 24 && minutes < 60 && seconds < 60;
    if (!isTime) return NONE;
    const goesOn = hasSeconds && end === at && to === 0;
    if (goesOn) return this.ofSecond(midnight + time, isEnd, isLast);
    return pairs.of(INSTANT, instants.rank(bytes, midnight + time - offset, from, to));
  }

  /** A whole second, which a fraction and an offset may follow. The end of a day has no fraction. */
  private ofSecond(seconds: number, isEnd: boolean, isLast: boolean): number | undefined {
    const { instants, pairs } = this;
    if (instants === undefined) return NONE;
    if (isLast) return pairs.of(LAST_SECOND, instants.rank(NO_BYTES, seconds, 0, 0));
    const near = instants.minuteNear(seconds);
    if (near === undefined)
      return pairs.of(isEnd ? END_OF_DAY : SECOND, instants.rank(NO_BYTES, seconds, 0, 0));
    const [bound, minute] = near;
    const like = pairs.of(pairs.of(isEnd ? NEAR_END_OF_DAY : NEAR_SECOND, bound), minute);
    return pairs.of(like, instants.rankOfRest(seconds));
  }

  /** One of a year of more digits, or a leap second. */
  private otherInstant(bytes: Buffer, start: number, isLast: boolean): number | undefined {
    const { instants, pairs } = this;
    if (instants === undefined) return NONE;
    const text = bytes.toString('latin1', start, bytes.indexOf(QUOTE, start));
    if (LEAP_SECOND_END.test(text) && parseInstant(`${text.slice(0, -2)}00`)) return undefined;
    const instant = parseInstant(text);
    if (instant === undefined) return NONE;
    if (!SECONDS_END.test(text)) return pairs.of(INSTANT, instants.rankOf(instant));
    const seconds = Number(instant.seconds);
    return Math.abs(seconds) < EXACT ? this.ofSecond(seconds, text.includes('T24'), isLast) : undefined;
  }
}

const NO_BYTES = Buffer.alloc(0);

function digitsEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at]! >= ZERO && bytes[at]! <= ZERO + 9) at++;
  return at;
}

/** Whether digits are all of a whole part: only a single one may be zero at the beginning. */
function mayBeWhole(bytes: Buffer, from: number, to: number): boolean {
  return to - from === 1 || bytes[from] !== ZERO;
}

/** @returns undefined if what is there up to the quote is neither an exponent nor nothing */
function exponentAt(bytes: Buffer, start: number): number | undefined {
  if (bytes[start] === QUOTE) return 0;
  if ((bytes[start]! | 0x20) !== LETTER_E) return undefined;
  const sign = bytes[start + 1] === MINUS ? -1 : 1;
  const first = bytes[start + 1] === MINUS || bytes[start + 1] === PLUS ? start + 2 : start + 1;
  const to = digitsEnd(bytes, first);
  if (to === first || bytes[to] !== QUOTE) return undefined;
  let from = first;
  while (from < to && bytes[from] === ZERO) from++;
  if (to - from > SAFE_DIGITS) return sign * HUGE;
  let exponent = 0;
  for (let at = from; at < to; at++) exponent = exponent * 10 + bytes[at]! - ZERO;
  return sign * exponent;
}

/** An offset in seconds, NaN if it is too large, and where it ends: at once if nothing there is an offset. */
function offsetAt(bytes: Buffer, start: number): readonly [seconds: number, end: number] {
  const sign = bytes[start];
  if (sign === LETTER_Z) return [0, start + 1];
  if (sign !== PLUS && sign !== MINUS) return [0, start];
  const hours = twoDigitsAt(bytes, start + 1);
  const hasMinutes = bytes[start + 3] === COLON;
  const minutes = hasMinutes ? twoDigitsAt(bytes, start + 4) : 0;
  const isOffset = hours <= MAX_OFFSET_HOURS && minutes < 60;
  const seconds = isOffset ? (hours * 60 + minutes) * 60 : NaN;
  return [sign === MINUS ? -seconds : seconds, start + (hasMinutes ? 6 : 3)];
}
