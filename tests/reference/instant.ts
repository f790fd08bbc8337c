/** An instant without loss: whole seconds since 1970, and the digits of the fraction without trailing zeros. */
export interface Instant {
  readonly seconds: bigint;
  readonly fraction: string;
}

const INSTANT =
  /^(?<year>[0-9]{4}|[+-][0-9]{5,})-(?<month>[0-9]{2})-(?<day>[0-9]{2})(?:T(?<hour>[0-9]{2})(?::(?<minute>[0-9]{2})(?::(?<second>[0-9]{2})(?:[.,](?<fraction>[0-9]+))?)?)?(?:Z|(?<sign>[+-])(?<hours>[0-9]{2})(?::(?<minutes>[0-9]{2}))?)?)?$/;

const SECONDS_OF_DAY = 86_400n;

/** Reads `YYYY-MM-DD`, which is its midnight in UTC, or ISO 8601 in extended form (docs/enforcement.md#conditions). */
export function readInstant(text: string): Instant | undefined {
  const groups = INSTANT.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const day = readDay(groups['year'] ?? '', Number(groups['month']), Number(groups['day']));
  const offset = readOffset(groups['sign'], Number(groups['hours'] ?? 0), Number(groups['minutes'] ?? 0));
  const { hour = '00', minute = '00', second = '00', fraction = '' } = groups;
  const time = readTime(Number(hour), Number(minute), Number(second), /[1-9]/.test(fraction));
  if (day === undefined || offset === undefined || time === undefined) return undefined;
  const seconds = day * SECONDS_OF_DAY + BigInt(time) - BigInt(offset);
  if (second === '60' && !isAfterLeapSecond(seconds)) return undefined;
  return { seconds, fraction: fraction.replace(/0+$/, '') };
}

export function compareInstants(left: Instant, right: Instant): number {
  if (left.seconds !== right.seconds) return left.seconds < right.seconds ? -1 : 1;
  if (left.fraction === right.fraction) return 0;
  return left.fraction < right.fraction ? -1 : 1;
}

/** Seconds since midnight. 24:00:00 is the next midnight. */
function readTime(hour: number, minute: number, second: number, hasFraction: boolean): number | undefined {
  if (hour === 24) return minute === 0 && second === 0 && !hasFraction ? 86_400 : undefined;
  return hour < 24 && minute < 60 && second <= 60 ? hour * 3600 + minute * 60 + second : undefined;
}

/** Seconds east of UTC; an offset is below 24 hours. */
function readOffset(sign: string | undefined, hours: number, minutes: number): number | undefined {
  if (hours >= 24 || minutes >= 60) return undefined;
  return (hours * 3600 + minutes * 60) * (sign === '-' ? -1 : 1);
}

/** Days since 1970-01-01; undefined if the month or the day does not exist. Years repeat every 400. */
function readDay(year: string, month: number, day: number): bigint | undefined {
  const cycle = BigInt(year.replace('+', '')) % 400n;
  const inCycle = 2000 + Number(cycle);
  if (/^-0+$/.test(year) || month < 1 || month > 12 || day < 1) return undefined;
  if (day > new Date(Date.UTC(inCycle, month, 0)).getUTCDate()) return undefined;
  const cycles = (BigInt(year.replace('+', '')) - BigInt(inCycle)) / 400n;
  return cycles * 146_097n + BigInt(Date.UTC(inCycle, month - 1, day) / 86_400_000);
}

/** A leap second ends the 30th of June or the 31st of December, in UTC. It counts as the second after it. */
function isAfterLeapSecond(seconds: bigint): boolean {
  return seconds % SECONDS_OF_DAY === 0n && isLeapSecondDay(seconds / SECONDS_OF_DAY);
}

function isLeapSecondDay(days: bigint): boolean {
  const cycle = ((days % 146_097n) + 146_097n) % 146_097n;
  const date = new Date(Number(cycle) * 86_400_000).toISOString();
  return date.includes('-07-01T') || date.includes('-01-01T');
}
