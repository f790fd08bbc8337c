import type { Server } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setImmediate as loopPass, setTimeout as wait } from 'node:timers/promises';
import type { Lifecycle } from './lifecycle.ts';
import { closeServer } from './server.ts';

/**
 * Stops taking anything new, finishes what is in progress, and cuts off what is left when the limit (milliseconds) is over.
 *
 * @returns whether nothing had to be cut off
 */
type Close = (limit: number) => Promise<boolean>;

/** How a service comes to an end; times are in milliseconds. */
interface DrainOptions {
  /** How long the service keeps taking requests, unless it is hurried. */
  readonly drainDelay: number;
  /** How long all of it may take. */
  readonly drainTimeout: number;
  /** Those that end at the same time as the servers. */
  readonly otherListeners?: readonly Close[];
}

/** The shortest delay: what callers have sent already, or are just sending, is taken. Milliseconds. */
const SHORTEST_DELAY = 50;

/**
 * Serves on until nobody sends any more, finishes what is under way and stops listening.
 *
 * @returns whether nothing had to be cut off because it took too long
 */
export async function drain(
  servers: readonly Server[],
  lifecycle: Lifecycle,
  { drainDelay, drainTimeout, otherListeners = [] }: DrainOptions,
): Promise<boolean> {
  const end = performance.now() + drainTimeout;
  lifecycle.leave();
  await wait(SHORTEST_DELAY);
  await unlessAborted(drainDelay - SHORTEST_DELAY, lifecycle.hurried);
  await connectionsRead();
  lifecycle.drain();
  const limit = Math.max(end - performance.now(), 0);
  const finished = await Promise.all([
    ...servers.map((server) => closeServer(server, limit)),
    ...otherListeners.map((close) => close(limit)),
  ]);
  return finished.every(Boolean);
}

async function unlessAborted(delay: number, signal: AbortSignal): Promise<void> {
  if (delay > 0) await wait(delay, undefined, { signal }).catch(() => undefined);
}

/** A connection that waits is accepted in one pass of the event loop, and its request read in the next. */
async function connectionsRead(): Promise<void> {
  await loopPass();
  await loopPass();
  await loopPass();
}
