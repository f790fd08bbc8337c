import { twoDigitsAt } from '../conditions/short-instant.ts';

const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const ZERO = 0x30;
const COLON = 0x3a;
const LETTER_E = 0x65;
const LETTER_Z = 0x5a;

/** Exponents of more digits count as one that is larger than all of fewer. */
const SAFE_DIGITS = 15;
const HUGE = 1e16;
const MAX_OFFSET_HOURS = 23;

/** The byte after digits. */
export function digitsEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at]! >= ZERO && bytes[at]! <= ZERO + 9) at++;
  return at;
}

/** Whether digits are all of a whole part: only a single one may be zero at the beginning. */
export function mayBeWhole(bytes: Buffer, from: number, to: number): boolean {
  return to - from === 1 || bytes[from] !== ZERO;
}

/** @returns undefined if what is there up to the quote is neither an exponent nor nothing */
export function exponentAt(bytes: Buffer, start: number): number | undefined {
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

/** Where an offset ends, as far as can be seen without reading its digits; its start if none is there. */
export function offsetEnd(bytes: Buffer, start: number): number {
  if (bytes[start] === LETTER_Z) return start + 1;
  if (bytes[start] !== PLUS && bytes[start] !== MINUS) return start;
  return start + (hasMinutes(bytes, start) ? 6 : 3);
}

/** An offset in seconds, 0 if none is there, NaN if it is none. */
export function offsetAt(bytes: Buffer, start: number): number {
  const sign = bytes[start];
  if (sign !== PLUS && sign !== MINUS) return 0;
  const hours = twoDigitsAt(bytes, start + 1);
  const minutes = hasMinutes(bytes, start) ? twoDigitsAt(bytes, start + 4) : 0;
  const isOffset = hours <= MAX_OFFSET_HOURS && minutes < 60;
  const seconds = isOffset ? (hours * 60 + minutes) * 60 : NaN;
  return sign === MINUS ? -seconds : seconds;
}

function hasMinutes(bytes: Buffer, start: number): boolean {
  return bytes[start + 3] === COLON;
}
