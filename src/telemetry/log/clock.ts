let millisecond = NaN;
let text = '';

/** The time, ISO 8601 in UTC. It is written once a millisecond: many entries have the same. */
export function now(): string {
  const current = Date.now();
  if (current !== millisecond) {
    millisecond = current;
    text = new Date(current).toISOString();
  }
  return text;
}
