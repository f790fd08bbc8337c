import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Lifecycle } from '../listener/index.ts';
import { listenToEnvoy, type ProcessorListener, type ProcessorListenOptions } from './listener.ts';
import { Processor, type ProcessorOptions } from './processor.ts';

export interface ExternalProcessorOptions extends ProcessorOptions {
  readonly listening: Omit<ProcessorListenOptions, 'isServing' | 'onStream'>;
  readonly lifecycle: Lifecycle;
}

/** The external processor of Envoy (docs/envoy.md), listening. */
export interface ExternalProcessor {
  readonly port: number;
  /**
   * Finishes the exchanges in progress, then sends GOAWAY to the Envoys.
   *
   * @param limit milliseconds, after which the exchanges that are left are cut off
   * @returns whether none had to be
   */
  drain(limit: number): Promise<boolean>;
  /** Cuts every connection. */
  close(): void;
}

/** @throws TlsFilesError, or the system's error if the port is taken, the host unknown, … */
export async function open(options: ExternalProcessorOptions): Promise<ExternalProcessor> {
  const processor = new Processor(options);
  const listener = await listenToEnvoy({
    ...options.listening,
    isServing: () => !options.lifecycle.isLeaving,
    onStream: (stream) => processor.take(stream),
  });
  return {
    port: listener.port,
    drain: (limit) => drain(listener, processor, limit),
    close: () => listener.destroy(),
  };
}

/** How long exchanges that were cut off may take to be noted, in milliseconds. */
const TO_NOTE = 1000;

/**
 * Envoy may open streams on its connections until it gets GOAWAY; those that cross it on the way fail. So GOAWAY waits for a
 * moment without streams, unless that takes too long.
 */
async function drain(listener: ProcessorListener, processor: Processor, limit: number): Promise<boolean> {
  const end = performance.now() + limit;
  listener.stopAccepting();
  await within(limit / 2, processor.idle());
  const isFinished = await within(end - performance.now(), listener.goAway());
  listener.destroy();
  // What is cut off is noted when its stream has ended.
  if (!isFinished) await within(TO_NOTE, processor.idle());
  return isFinished;
}

/** @returns whether it was done in time */
async function within(limit: number, work: Promise<void>): Promise<boolean> {
  const tooLate = new AbortController();
  const late = wait(Math.max(limit, 0), false, { signal: tooLate.signal }).catch(() => false);
  const isDone = await Promise.race([work.then(() => true), late]);
  tooLate.abort();
  return isDone;
}
