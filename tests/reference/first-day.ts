import { readsAs } from './compare.ts';

const PARTS =
  /^(?<year>[+-]?\d+)-(?<month>\d\d)-(?<day>\d\d)(?<time>[Tt ](?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d))?)?)?/;
const OFFSET = /(?<sign>[+-])(?<hours>\d\d):?(?<minutes>\d\d)?$/;

/** The first day of the year or month that a date or a date and time lies in, in UTC (masks.md). */
export function firstDay(text: string, unit: 'year' | 'month'): string | undefined {
  const parts = PARTS.exec(text)?.groups;
  if (parts === undefined || !readsAs('DATETIME', text)) return undefined;
  const { year = '', month, day, time, hour = 0, minute = 0, second = 0 } = parts;
  const cycles = BigInt(year) / 400n - 1n;
  const inCycle = Number(BigInt(year) - cycles * 400n);
  const local = Date.UTC(
    2000 + inCycle,
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    // A leap second is the last second of its minute.
    Math.min(Number(second), 59),
  );
  const utc = new Date(local - (time === undefined ? 0 : offsetOf(text)));
  const first = `${spelt(BigInt(utc.getUTCFullYear() - 2000) + cycles * 400n)}-${
    unit === 'year' ? '01' : String(utc.getUTCMonth() + 1).padStart(2, '0')
  }-01`;
  return time === undefined ? first : `${first}T00:00:00Z`;
}

/** Milliseconds. */
function offsetOf(text: string): number {
  const { sign, hours = 0, minutes = 0 } = OFFSET.exec(text)?.groups ?? {};
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function spelt(year: bigint): string {
  if (year >= 0n && year < 10_000n) return String(year).padStart(4, '0');
  return (year < 0n ? '-' : '+') + String(year).replace('-', '').padStart(6, '0');
}
