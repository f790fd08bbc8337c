import process from 'node:process';
import { HURRY, LOG_AS_CONFIGURED, LOG_EVERYTHING, REOPEN_LOG, STOP } from './orders.ts';

/** What a worker does when the primary process orders it. */
interface Worker {
  stop(reason: string): Promise<boolean>;
  hurry?(): void;
  reopenLog?(): Promise<void>;
  setDebug?(on: boolean): void;
}

/** Signals that a terminal or a service manager sends to every process of a group: the primary heeds them. */
const SIGNALS_OF_THE_PRIMARY = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const;

/**
 * Does what the primary process orders, and nothing else. What it orders while the worker still starts is done when it runs.
 *
 * @returns has to be called with what runs, once it does
 */
export function followPrimary(): (worker: Worker) => void {
  for (const signal of SIGNALS_OF_THE_PRIMARY) process.on(signal, ignore);
  const early: unknown[] = [];
  const keep = (message: unknown): void => void early.push(message);
  process.on('message', keep);
  return (worker) => {
    process.off('message', keep);
    process.on('message', (order) => obey(worker, order));
    // For every listener: others wait for messages of theirs, such as for metrics.
    for (const message of early) process.emit('message', message, undefined);
  };
}

function obey(worker: Worker, order: unknown): void {
  if (order === STOP) void worker.stop('the primary stops').then((done) => process.exit(done ? 0 : 1));
  if (order === HURRY) worker.hurry?.();
  if (order === REOPEN_LOG) void worker.reopenLog?.();
  if (order === LOG_EVERYTHING) worker.setDebug?.(true);
  if (order === LOG_AS_CONFIGURED) worker.setDebug?.(false);
}

function ignore(): void {}
