import type { Decimal } from '../conditions/decimal.ts';
import { parseInstant, type Instant } from '../conditions/instant.ts';
import { daysAt, twoDigitsAt } from '../conditions/short-instant.ts';
import { isWholeSecond } from '../conditions/typed-beginning.ts';
import { DigitPlaces } from './digit-places.ts';
import { EXACT_SECONDS, InstantBounds } from './instant-bounds.ts';
import { NumberBounds } from './number-bounds.ts';
import type { Pairs } from './pairs.ts';
import { hasNonZeroDigit } from './ranks.ts';
import { digitsEnd, exponentAt, mayBeWhole, offsetAt, offsetEnd } from './spelt-numbers.ts';
import { WholeReader } from './wholes.ts';

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
const COLON = 0x3a;
const LETTER_E = 0x65;
const LETTER_T = 0x54;

const DATE_LENGTH = 10;
const DAY = 86_400;

/** The class of names that are no part of a number or an instant. */
export const UNTYPED = 0;
/** What else a name may be, as the first of a pair: another one for each kind that matters in another way. */
const EMPTY = 1;
const INTEGER = 2;
const NEGATIVE_INTEGER = 3;
const NUMBER = 4;
/** Those that may be a fraction, too. */
const DIGITS = 5;
const EXPONENT = 6;
const OFFSET = 7;
const INSTANT = 8;
const SECOND = 9;
const NEAR_SECOND = 10;
const END_OF_DAY = 11;
const NEAR_END_OF_DAY = 12;
const LAST_SECOND = 13;

const LEAP_SECOND_END = /T\d{2}:\d{2}:60$/u;

/**
 * Sorts names of which numbers and instants consist into classes: paths that differ in names of one class compare alike with all
 * bounds.
 *
 * A number or an instant has at most one dot. So a name is all of it; or a whole part, which a fraction follows; or a fraction, which
 * may have an exponent or an offset at its end. What matters of the first and the last is their place among the bounds; of the
 * fraction, its place after each whole part that may come before it.
 */
export class TypedNames {
  private readonly pairs: Pairs;
  private readonly numbers: NumberBounds | undefined;
  private readonly places: DigitPlaces;
  private readonly instants: InstantBounds | undefined;
  private readonly wholes: WholeReader;

  constructor({ numbers, instants }: TypedBounds, pairs: Pairs) {
    this.pairs = pairs;
    if (numbers.length > 0) this.numbers = new NumberBounds(numbers);
    this.places = new DigitPlaces(numbers.map(({ digits }) => digits));
    if (instants.length > 0) this.instants = new InstantBounds(instants);
    this.wholes = new WholeReader(this.numbers, this.instants);
  }

  /**
   * The class of a name in a text.
   *
   * @param start its first byte; a quote follows its last
   * @param before the names that may come right before it
   * @param isLast whether no fraction comes after it
   * @returns undefined if no other name is in its class
   */
  at(bytes: Buffer, start: number, before: readonly string[], isLast: boolean): number | undefined {
    const first = bytes[start];
    if (first === QUOTE) return EMPTY;
    if (first === PLUS) return this.otherInstant(bytes, start, isLast);
    const from = first === MINUS ? start + 1 : start;
    const to = digitsEnd(bytes, from);
    if (to === from) return UNTYPED;
    const next = bytes[to]!;
    const isNegative = from > start;
    if (next === QUOTE) {
      if (isNegative) return this.ofNegative(bytes, from, to, isLast);
      return this.ofDigits(bytes, from, to, before, isLast);
    }
    if (next === POINT) return this.ofFraction(bytes, from, to, isNegative);
    if ((next | 0x20) === LETTER_E) return this.ofExponent(bytes, from, to, isNegative, before);
    if (this.instants === undefined) return UNTYPED;
    if (isNegative) return this.otherInstant(bytes, start, isLast);
    const end = offsetEnd(bytes, to);
    if (bytes[end] === QUOTE && end > to) return this.ofOffset(bytes, from, to, before);
    return to - from === 4 ? this.ofInstant(bytes, start, isLast) : UNTYPED;
  }

  /** The class of an index, whatever comes before and after it. */
  ofIndex(bytes: Buffer, from: number): number | undefined {
    const { numbers, instants, pairs } = this;
    const to = digitsEnd(bytes, from);
    const like = numbers ? this.ofWhole(INTEGER, bytes, from, to) : DIGITS;
    return instants ? pairs.of(like, instants.rankOfFraction(bytes, from, to)) : like;
  }

  /** Whether all indexes with the same digits except for the last one are alike. */
  isLikeItsNeighbours(bytes: Buffer, from: number): boolean {
    const { numbers, instants, places } = this;
    const last = digitsEnd(bytes, from) - 1;
    const areAlike = numbers === undefined || places.areAlikeFrom(bytes, from, last);
    return areAlike && last > from && (instants === undefined || instants.areWhole);
  }

  private ofNegative(bytes: Buffer, from: number, to: number, isLast: boolean): number | undefined {
    const { numbers } = this;
    if (numbers === undefined || !mayBeWhole(bytes, from, to)) return UNTYPED;
    if (!isLast) return this.ofWhole(NEGATIVE_INTEGER, bytes, from, to);
    return this.pairs.of(NUMBER, numbers.rank(bytes, from, to, -1, to - from));
  }

  private ofDigits(
    bytes: Buffer,
    from: number,
    to: number,
    before: readonly string[],
    isLast: boolean,
  ): number | undefined {
    const { numbers, instants, pairs } = this;
    let like: number | undefined = DIGITS;
    if (numbers !== undefined && mayBeWhole(bytes, from, to))
      like = isLast
        ? pairs.of(DIGITS, numbers.rank(bytes, from, to, 1, to - from))
        : this.ofWhole(INTEGER, bytes, from, to);
    if (before.length === 0) return like;
    const { near, seconds } = this.wholes.read(before);
    if (numbers)
      for (const whole of near) like = pairs.of(like, numbers.rankAfter(whole, bytes, from, to, 0));
    if (instants)
      for (const whole of seconds)
        like = pairs.of(like, instants.rankAfter(whole, bytes, from, to, to, 0) + 1);
    return like;
  }

  /** Digits that may be all of a number, or its whole part, and also a fraction. */
  private ofWhole(kind: number, bytes: Buffer, from: number, to: number): number | undefined {
    const { pairs, places } = this;
    return pairs.of(pairs.of(kind, to - from), places.of(bytes, from, to));
  }

  private ofFraction(bytes: Buffer, from: number, point: number, isNegative: boolean): number | undefined {
    const { numbers } = this;
    const to = digitsEnd(bytes, point + 1);
    if (numbers === undefined || to === point + 1 || !mayBeWhole(bytes, from, point)) return UNTYPED;
    const exponent = exponentAt(bytes, to);
    if (exponent === undefined) return UNTYPED;
    if (exponent !== 0 && !numbers.areShort) return undefined;
    const rank = numbers.rank(bytes, from, to, isNegative ? -1 : 1, point - from + exponent);
    return this.pairs.of(NUMBER, rank);
  }

  private ofExponent(
    bytes: Buffer,
    from: number,
    to: number,
    isNegative: boolean,
    before: readonly string[],
  ): number | undefined {
    const { numbers, pairs } = this;
    const exponent = exponentAt(bytes, to);
    if (numbers === undefined || exponent === undefined) return UNTYPED;
    if (!numbers.areShort) return undefined;
    let like: number | undefined = EXPONENT;
    if (mayBeWhole(bytes, from, to)) {
      const rank = numbers.rank(bytes, from, to, isNegative ? -1 : 1, to - from + exponent);
      like = pairs.of(isNegative ? NUMBER : EXPONENT, rank);
    } else if (isNegative) return UNTYPED;
    if (isNegative || before.length === 0) return like;
    for (const whole of this.wholes.read(before).numbers)
      like = pairs.of(like, numbers.rankAfter(whole, bytes, from, to, exponent));
    return like;
  }

  /** The fraction of a second, with an offset. */
  private ofOffset(bytes: Buffer, from: number, to: number, before: readonly string[]): number | undefined {
    const { instants, pairs } = this;
    const offset = offsetAt(bytes, to);
    if (instants === undefined || Number.isNaN(offset) || before.length === 0) return UNTYPED;
    let like: number | undefined = OFFSET;
    const end = offsetEnd(bytes, to);
    for (const whole of this.wholes.read(before).seconds)
      like = pairs.of(like, instants.rankAfter(whole, bytes, from, to, end, offset) + 1);
    return like;
  }

  /** An instant of a year of four digits. */
  private ofInstant(bytes: Buffer, start: number, isLast: boolean): number | undefined {
    const { instants, pairs } = this;
    if (instants === undefined) return UNTYPED;
    const midnight = daysAt(bytes, start) * DAY;
    let at = start + DATE_LENGTH;
    if (Number.isNaN(midnight)) return UNTYPED;
    if (bytes[at] === QUOTE) return pairs.of(INSTANT, instants.rank(bytes, midnight, 0, 0));
    if (bytes[at] !== LETTER_T) return UNTYPED;
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
      if (to === from) return UNTYPED;
      at = to;
    }
    const end = offsetEnd(bytes, at);
    const offset = offsetAt(bytes, at);
    if (bytes[end] !== QUOTE || Number.isNaN(offset)) return UNTYPED;
    const time = (hours * 60 + minutes) * 60 + seconds;
    const isEnd = hours === 24;
    const isTime = isEnd
      ? time === DAY && !hasNonZeroDigit(bytes, from, to)
      : hours < 24 && minutes < 60 && seconds < 60;
    if (!isTime) return UNTYPED;
    const goesOn = hasSeconds && end === at && to === 0;
    if (goesOn) return this.ofSecond(midnight + time, isEnd, isLast);
    return pairs.of(INSTANT, instants.rank(bytes, midnight + time - offset, from, to));
  }

  /** A whole second, which a fraction and an offset may follow. The end of a day has no fraction. */
  private ofSecond(seconds: number, isEnd: boolean, isLast: boolean): number | undefined {
    const { instants, pairs } = this;
    if (instants === undefined) return UNTYPED;
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
    if (instants === undefined) return UNTYPED;
    const text = bytes.toString('latin1', start, bytes.indexOf(QUOTE, start));
    if (LEAP_SECOND_END.test(text) && parseInstant(`${text.slice(0, -2)}00`)) return undefined;
    const instant = parseInstant(text);
    if (instant === undefined) return UNTYPED;
    if (!isWholeSecond(text)) return pairs.of(INSTANT, instants.rankOf(instant));
    const seconds = Number(instant.seconds);
    return Math.abs(seconds) < EXACT_SECONDS
      ? this.ofSecond(seconds, text.includes('T24'), isLast)
      : undefined;
  }
}

const NO_BYTES = Buffer.alloc(0);
