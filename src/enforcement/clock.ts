import process from 'node:process';

/** Milliseconds since the process started; they never go back. To load `node:perf_hooks` takes longer than a payload. */
export function now(): number {
  return process.uptime() * 1000;
}
