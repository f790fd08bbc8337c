import _ from 'lodash';
import { compareInstants, FAR_SECONDS, type Instant } from '../conditions/instant.ts';
import { orderOfDigits, rankBy } from './ranks.ts';

/** More minutes than `FAR_SECONDS`. */
const MINUTES = 2000;

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
