/** A point in time after which nobody waits any more. */
export interface Deadline {
  /** Aborted when the time is up, and when one of the other signals is. */
  readonly signal: AbortSignal;
  /** Whether the time is up. */
  readonly passed: () => boolean;
  /** Lets go of the timer. */
  readonly clear: () => void;
}

/**
 * Starts a deadline that also ends when one of `others` does.
 *
 * It has a timer of its own instead of `AbortSignal.timeout`, so that a busy service does not keep one for every exchange
 * that has long ended.
 *
 * @param ms from now
 */
export function startDeadline(ms: number, ...others: readonly AbortSignal[]): Deadline {
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(), ms);
  return {
    signal: AbortSignal.any([time.signal, ...others]),
    passed: () => time.signal.aborted,
    clear: () => clearTimeout(timer),
  };
}
