const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?)?$/u;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
const MILLISECONDS_PER_MINUTE = 60_000;

/**
 * Reads an ISO 8601 date or date and time as an instant. A date is its midnight; without an offset it is UTC.
 *
 * @returns nanoseconds since 1970-01-01T00:00Z, or undefined where the text is no such date
 */
export function parseInstant(text: string): bigint | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 60) return undefined;
  const offset = offsetMinutes(match[9], match[10], match[11]);
  const local =
    new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
  const nanoseconds = BigInt((match[7] ?? '').padEnd(9, '0'));
  return BigInt(local - offset * MILLISECONDS_PER_MINUTE) * NANOSECONDS_PER_MILLISECOND + nanoseconds;
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(new Date(0).setUTCFullYear(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function offsetMinutes(sign = '+', hours = '0', minutes = '0'): number {
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
