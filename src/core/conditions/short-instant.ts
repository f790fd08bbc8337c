import { Kind, type JsonDocument, type Node } from '../json/document.ts';
import type { Instant } from './instant.ts';

// What is exported is looked up each time, what is not is a constant in compiled code.
const PLAIN_STRING = Kind.plainString;

const QUOTE = 0x22;
const HYPHEN = 0x2d;
const ZERO = 0x30;
const COLON = 0x3a;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

/** How long `YYYY-MM-DD` and `YYYY-MM-DDThh:mm:ssZ` are. */
const DATE_LENGTH = 10;
const TIME_LENGTH = 20;

const DAY = 86_400;
/** The Gregorian calendar repeats itself after this many years, which have this many days. */
const CYCLE_YEARS = 400;
const CYCLE_DAYS = 146_097;
/** From 0000-03-01 to 1970-01-01, in days. */
const EPOCH = 719_468;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads an instant in its usual spelling, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`, where it is in a text: most are written
 * so, and need not be decoded.
 *
 * @returns its seconds since 1970-01-01T00:00Z; NaN if it is written otherwise, or is no instant
 */
export function shortInstantAt({ bytes, tape }: JsonDocument, node: Node): number {
  const word = tape[node]!;
  const start = (word >>> 3) + 1;
  if ((word & 7) !== PLAIN_STRING || start + TIME_LENGTH >= bytes.length) return NaN;
  const days = daysAt(bytes, start);
  const after = bytes[start + DATE_LENGTH]!;
  if (after === QUOTE) return days * DAY;
  if (after !== LETTER_T || bytes[start + TIME_LENGTH] !== QUOTE) return NaN;
  return days * DAY + secondsAt(bytes, start + DATE_LENGTH + 1);
}

/** An instant as a number that compares as it does with what {@link shortInstantAt} reads; whole if that may be equal to it. */
export function secondsOf({ seconds, fraction }: Instant): number {
  return Number(seconds) + (fraction === '' ? 0 : 0.5);
}

export function daysAt(bytes: Buffer, start: number): number {
  if (bytes[start + 4] !== HYPHEN || bytes[start + 7] !== HYPHEN) return NaN;
  const year = twoDigitsAt(bytes, start) * 100 + twoDigitsAt(bytes, start + 2);
  const month = twoDigitsAt(bytes, start + 5);
  const day = twoDigitsAt(bytes, start + 8);
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= lengthOfMonth(year, month);
  // A year that begins in March has its leap day at its end.
  return isDate ? daysBefore(month > 2 ? year : year - 1, (month + 9) % 12) + day - 1 : NaN;
}

function lengthOfMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % CYCLE_YEARS === 0);
  return month === 2 && isLeapYear ? 29 : MONTH_LENGTHS[month - 1]!;
}

/**
 * The days from 1970-01-01 to the first of a month.
 *
 * @param year that begins in March
 * @param month 0 for March
 */
function daysBefore(year: number, month: number): number {
  const cycle = Math.floor(year / CYCLE_YEARS);
  const inCycle = year - cycle * CYCLE_YEARS;
  const inYear = Math.floor((153 * month + 2) / 5);
  const leapDays = Math.floor(inCycle / 4) - Math.floor(inCycle / 100);
  return cycle * CYCLE_DAYS + inCycle * 365 + leapDays + inYear - EPOCH;
}

function secondsAt(bytes: Buffer, start: number): number {
  const areSeparated =
    bytes[start + 2] === COLON && bytes[start + 5] === COLON && bytes[start + 8] === LETTER_Z;
  const hours = twoDigitsAt(bytes, start);
  const minutes = twoDigitsAt(bytes, start + 3);
  const seconds = twoDigitsAt(bytes, start + 6);
  return areSeparated && hours < 24 && minutes < 60 && seconds < 60
    ? (hours * 60 + minutes) * 60 + seconds
    : NaN;
}

/** @returns NaN unless both are digits */
export function twoDigitsAt(bytes: Buffer, at: number): number {
  const tens = bytes[at]! - ZERO;
  const ones = bytes[at + 1]! - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}
