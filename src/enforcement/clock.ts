import process from 'node:process';

/** Milliseconds since some moment of the past; they never go back. To load `node:perf_hooks` takes longer than a payload. */
export function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
