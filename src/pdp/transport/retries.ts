import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { isAxiosError } from 'axios';

/** Why a question is asked again: no connection came about, or one broke before an answer began. */
export type RetryReason = 'refused' | 'broken';

/**
 * How long to wait before each retry, in milliseconds.
 *
 * A question whose connection was refused did not leave this process. Of several instances of a PDP, the next connection may
 * reach one that runs: if one of two is gone, each try finds the other half of the time, and one question in 65,000 finds it never.
 * A single instance may be back shortly. The waits last half a second in all.
 *
 * A question whose connection broke may have arrived, so it is asked once more only. The shortest wait lets the process notice
 * which other idle connections broke at the same moment.
 */
const WAITS: Readonly<Record<RetryReason, readonly number[]>> = {
  refused: [0, 5, 10, 20, ...Array.from({ length: 11 }, () => 40)],
  broken: [0],
};

/** How long after the first failure a retry may begin, in milliseconds: some networks take seconds to refuse a connection. */
const LAST_RETRY_MS = 3000;

/** Node's codes for an address at which nobody takes connections at the moment. */
const REFUSED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Node's codes for other connections that do not come about or break. */
const BROKEN: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** What bounds retries, and who hears of them. */
interface Bounds {
  /** Bounds all tries together: nothing is asked again once it is aborted. */
  readonly signal: AbortSignal;
  /** Called before each retry. */
  readonly onRetry: (reason: RetryReason) => void;
  /** Waits some milliseconds. Resolves to false as soon as the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<boolean>;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
}

/**
 * Asks, and asks again if the connection failed before an answer began ({@link WAITS}). A question is a POST without effects,
 * so that the PDP may get it twice.
 *
 * @throws the error of the last try
 */
export async function askWithRetries<T>(ask: () => Promise<T>, bounds: Bounds): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    return askAgain(ask, error, bounds);
  }
}

async function askAgain<T>(
  ask: () => Promise<T>,
  failure: unknown,
  { signal, onRetry, pause = paused, now = () => performance.now() }: Bounds,
): Promise<T> {
  const waits = { refused: [...WAITS.refused], broken: [...WAITS.broken] };
  const last = now() + LAST_RETRY_MS;
  let error = failure;
  for (;;) {
    const reason = reasonOf(error);
    const ms = reason && waits[reason].shift();
    if (reason === undefined || ms === undefined || now() > last) throw error;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    if (!(await pause(ms, signal))) throw error;
    onRetry(reason);
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      return await ask();
    } catch (next) {
      error = next;
    }
  }
}

function reasonOf(error: unknown): RetryReason | undefined {
  if (!isAxiosError(error) || error.response !== undefined) return undefined;
  const code = error.code ?? '';
  if (REFUSED.has(code)) return 'refused';
  return BROKEN.has(code) ? 'broken' : undefined;
}

async function paused(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
