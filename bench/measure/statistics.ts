/** The middle of some numbers; NaN where there are none. */
export function median(numbers: readonly number[]): number {
  return percentile(numbers, 50);
}

/** The least of some numbers that so many percent do not exceed; NaN where there are none. */
export function percentile(numbers: Iterable<number>, percent: number): number {
  const sorted = Float64Array.from(numbers).toSorted();
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN;
}
