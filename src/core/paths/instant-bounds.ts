import _ from 'lodash';
import { compareInstants, FAR_SECONDS, parseInstant, type Instant } from '../conditions/instant.ts';
import { hasNonZeroDigit, orderOfDigits, rankBy } from './ranks.ts';

/** More minutes than `FAR_SECONDS`. */
const MINUTES = 2000;
/** Seconds near these are exact, too. */
export const EXACT_SECONDS = 2 ** 52;

/** A whole second without an offset, which a fraction follows. */
export interface WholeSecond {
  readonly text: string;
  /** Undefined if it has to be read with what follows: what that is decides whether it is a leap second. */
  readonly seconds: number | undefined;
  /** Whether it is the end of a day, which has no fraction but zeros. */
  readonly isEndOfDay: boolean;
  /** Whether the bounds distinguish what follows. */
  readonly isNear: boolean;
}

/** The instants that names may be compared with. */
export class InstantBounds {
  private readonly bounds: readonly Instant[];
  /** Their seconds, which may be rounded if they are far from each year of few digits. */
  private readonly seconds: readonly number[];
  /** Their fractions and none, each once, in order. */
  private readonly fractions: readonly string[];
  /** By how many seconds they are after a minute, each once, in order. */
  private readonly rests: readonly number[];

  constructor(bounds: readonly Instant[]) {
    this.bounds = bounds.toSorted(compareInstants);
    this.seconds = this.bounds.map(({ seconds }) => Number(seconds));
    this.fractions = _.uniq(['', ...bounds.map(({ fraction }) => fraction)]).toSorted();
    this.rests = _.uniq(this.seconds.map(restOf)).toSorted((a, b) => a - b);
  }

  /** @param text ends in whole seconds */
  wholeOf(text: string): WholeSecond {
    const instant = text.endsWith(':60') ? undefined : parseInstant(text);
    const exact = instant && Math.abs(Number(instant.seconds)) < EXACT_SECONDS;
    const seconds = exact === true ? Number(instant?.seconds) : undefined;
    const isEndOfDay = text.includes('T24');
    const isNear = isEndOfDay || seconds === undefined || this.minuteNear(seconds) !== undefined;
    return { text, seconds, isEndOfDay, isNear };
  }

  /**
   * The place among the bounds of an instant.
   *
   * @param seconds of a year of few digits
   * @param from the digits of a fraction; none if this is `to`
   */
  rank(bytes: Buffer, seconds: number, from: number, to: number): number {
    const { bounds } = this;
    return rankBy(
      bounds.length,
      (at) => seconds - this.seconds[at]! || orderOfDigits(bytes, from, to, bounds[at]!.fraction),
    );
  }

  /** The same for an instant of any year. */
  rankOf(instant: Instant): number {
    const { bounds } = this;
    return rankBy(bounds.length, (at) => compareInstants(instant, bounds[at]!));
  }

  /**
   * The same for the fraction of a second.
   *
   * @param from its digits
   * @param end where its offset ends
   * @param offset in seconds
   * @returns -1 if it is no instant
   */
  rankAfter(
    { text, seconds, isEndOfDay }: WholeSecond,
    bytes: Buffer,
    from: number,
    to: number,
    end: number,
    offset: number,
  ): number {
    if (seconds === undefined) {
      const instant = parseInstant(`${text}.${bytes.toString('latin1', from, end)}`);
      return instant ? this.rankOf(instant) : -1;
    }
    if (isEndOfDay && hasNonZeroDigit(bytes, from, to)) return -1;
    return this.rank(bytes, seconds - offset, from, to);
  }

  /** Whether it matters of the digits of a fraction only whether they are all zeros, whatever the second before them. */
  get areWhole(): boolean {
    return this.fractions.length === 1;
  }

  /** What matters of the digits of a fraction, whatever the second before them. */
  rankOfFraction(bytes: Buffer, from: number, to: number): number {
    const { fractions } = this;
    return rankBy(fractions.length, (at) => orderOfDigits(bytes, from, to, fractions[at]!));
  }

  /** The first bound that a second may come to by an offset, and the minutes from there; undefined if all are far. */
  minuteNear(seconds: number): readonly [bound: number, minutes: number] | undefined {
    const at = _.sortedLastIndex(this.seconds, seconds - FAR_SECONDS);
    const bound = this.seconds[at];
    if (bound === undefined || bound - seconds > FAR_SECONDS) return undefined;
    return [at, Math.floor(seconds / 60) - Math.floor(bound / 60) + MINUTES];
  }

  /** What matters of the seconds after a minute. */
  rankOfRest(seconds: number): number {
    const { rests } = this;
    const rest = restOf(seconds);
    return rankBy(rests.length, (at) => rest - rests[at]!);
  }
}

function restOf(seconds: number): number {
  return ((seconds % 60) + 60) % 60;
}
