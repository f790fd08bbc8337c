import { compareTexts } from './decimal.ts';

/**
 * `YYYY-MM-DD`, or ISO 8601 in extended form with `T`: minutes, seconds and a fraction are optional, and so is the offset
 * (docs/enforcement.md#conditions).
 */
export const INSTANT =
  /^(\d{4}|[+-]\d{5,})-(\d{2})-(\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?(?:(Z)|([+-])(\d{2})(?::(\d{2}))?)?)?$/u;
const MINUS_ZERO = /^-0+$/u;
/** Years of more digits than this are not read: their cost would not be linear. */
const MAX_YEAR_DIGITS = 100;
/** The Gregorian calendar repeats itself after this many years, and takes this many seconds for them. */
const CYCLE_YEARS = 400n;
const CYCLE_SECONDS = 146_097n * 86_400n;
const DAY = 86_400;
/** Two instants this far apart keep their order under any offset (less than a day) and any fraction (less than a second). */
export const FAR_SECONDS = 90_000;
/** An instant of 23:59:60 UTC at the end of one of these months is a leap second. */
const LEAP_SECOND_ENDS = new Set(['06-30', '12-31']);

/** A point in time, exact. */
export interface Instant {
  /** Seconds since 1970-01-01T00:00Z, without leap seconds. */
  readonly seconds: bigint;
  /** The digits of the fraction of a second, without zeros at the end. */
  readonly fraction: string;
}

/**
 * Reads an ISO 8601 date, or date and time, as an instant. A date is its midnight; without an offset it is UTC.
 *
 * @returns undefined if the text is no such date
 */
export function parseInstant(text: string): Instant | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, year = '', month = '', day = '', hours = '00', minutes = '00', seconds = '00', digits = ''] =
    match;
  if (year.length > MAX_YEAR_DIGITS || MINUS_ZERO.test(year)) return undefined;
  const fraction = digits.slice(0, digits.length - trailingZeros(digits));
  const time = timeOfDay(Number(hours), Number(minutes), Number(seconds), fraction);
  const offset = offsetSeconds(match[9], match[10], match[11]);
  const midnight = midnightOf(BigInt(year), Number(month), Number(day));
  if (time === undefined || offset === undefined || midnight === undefined) return undefined;
  const instant = { seconds: midnight + BigInt(time - offset), fraction };
  return seconds === '60' && !isAfterLeapSecond(instant.seconds) ? undefined : instant;
}

/** Negative if `a` is before `b`, 0 if they are the same. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1;
  return compareTexts(a.fraction, b.fraction);
}

/** The same text for instants that are the same, and another one for others. */
export function instantKey({ seconds, fraction }: Instant): string {
  return `${seconds}.${fraction}`;
}

function timeOfDay(hours: number, minutes: number, seconds: number, fraction: string): number | undefined {
  const time = (hours * 60 + minutes) * 60 + seconds;
  if (hours === 24) return time === DAY && fraction === '' ? DAY : undefined;
  return hours < 24 && minutes < 60 && seconds <= 60 ? time : undefined;
}

function offsetSeconds(sign = '+', hours = '00', minutes = '00'): number | undefined {
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60;
}

/** The first second of a day of the Gregorian calendar. */
function midnightOf(year: bigint, month: number, day: number): bigint | undefined {
  const inCycle = ((year % CYCLE_YEARS) + CYCLE_YEARS) % CYCLE_YEARS;
  const cycles = (year - inCycle) / CYCLE_YEARS;
  const date = new Date(Date.UTC(2000 + Number(inCycle), month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return BigInt(date.getTime() / 1000) + (cycles - 5n) * CYCLE_SECONDS;
}

function isAfterLeapSecond(seconds: bigint): boolean {
  const inCycle = ((seconds % CYCLE_SECONDS) + CYCLE_SECONDS) % CYCLE_SECONDS;
  if (inCycle % BigInt(DAY) !== 0n) return false;
  const last = new Date((Number(inCycle) - 1) * 1000).toISOString();
  return LEAP_SECOND_ENDS.has(last.slice(5, 10));
}

function trailingZeros(digits: string): number {
  let count = 0;
  while (count < digits.length && digits[digits.length - 1 - count] === '0') count++;
  return count;
}
