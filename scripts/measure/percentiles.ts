const SHOWN = [50, 90, 99, 100];

/** Some percentiles, in milliseconds. */
export function percentiles(times: readonly number[]): Readonly<Record<string, number>> {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (percent: number): number =>
    Math.round((sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0) * 10) / 10;
  return Object.fromEntries(SHOWN.map((percent) => [`${percent} %`, at(percent)]));
}
