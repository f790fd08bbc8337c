const KB = 1000;
const MB = 1000 * KB;

/** A duration in a unit that suits it. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return `${significant(milliseconds * 1000)} µs`;
  return milliseconds < 1000 ? `${significant(milliseconds)} ms` : `${significant(milliseconds / 1000)} s`;
}

/** An amount of bytes in a unit that suits it. */
export function size(bytes: number): string {
  return bytes < MB ? `${significant(bytes / KB)} KB` : `${significant(bytes / MB)} MB`;
}

export function rate(perSecond: number): string {
  return `${significant(perSecond)}/s`;
}

export function ratio(value: number): string {
  return value.toFixed(2);
}

/** Three digits, or all of a whole number; what more there is, is noise. */
export function significant(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}
