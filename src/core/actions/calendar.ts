import { parseInstant } from '../conditions/instant.ts';

const DATE = /^[+-]?\d+-\d\d-\d\d$/u;
/** Conditions take a leap second for the second after it, which is in the next month. */
const LEAP_SECOND = /T\d\d:\d\d:60/u;
const SECONDS_PER_DAY = 86_400n;
/** The Gregorian calendar repeats after this many years, which have this many days. */
const CYCLE_YEARS = 400n;
const CYCLE_DAYS = 146_097n;
const MILLISECONDS_PER_DAY = 86_400_000;
const FIRST_YEAR = 1970n;

/** The month of a date or date and time, in UTC. */
interface Month {
  readonly year: bigint;
  /** From 1. */
  readonly month: number;
  /** Whether the text has no time. */
  readonly isDate: boolean;
}

/**
 * @param text an ISO 8601 date or date and time, as conditions read them (docs/enforcement.md#conditions)
 * @returns undefined if the text is neither
 */
export function monthOf(text: string): Month | undefined {
  const instant = parseInstant(text);
  if (instant === undefined) return undefined;
  const seconds = LEAP_SECOND.test(text) ? instant.seconds - 1n : instant.seconds;
  const days = floorDivided(seconds, SECONDS_PER_DAY);
  const cycles = floorDivided(days, CYCLE_DAYS);
  const inCycle = new Date(Number(days - cycles * CYCLE_DAYS) * MILLISECONDS_PER_DAY);
  const years = BigInt(inCycle.getUTCFullYear()) - FIRST_YEAR;
  return {
    year: FIRST_YEAR + cycles * CYCLE_YEARS + years,
    month: inCycle.getUTCMonth() + 1,
    isDate: DATE.test(text),
  };
}

/** The first day of a month, in the form of the text that it was read from. */
export function firstDayOf({ year, month, isDate }: Month): string {
  const date = `${yearText(year)}-${String(month).padStart(2, '0')}-01`;
  return isDate ? date : `${date}T00:00:00Z`;
}

/** Four digits, or a sign and at least six (as ECMAScript writes years). */
function yearText(year: bigint): string {
  if (year >= 0n && year <= 9999n) return String(year).padStart(4, '0');
  const digits = String(year < 0n ? -year : year).padStart(6, '0');
  return `${year < 0n ? '-' : '+'}${digits}`;
}

function floorDivided(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
