import process from 'node:process';
import { HURRY, LOG_AS_CONFIGURED, LOG_EVERYTHING, READY, REOPEN_LOG, STOP } from './orders.ts';

/** The actions of a worker that the primary process can request. */
interface Worker {
  stop(reason: string): Promise<boolean>;
  hurry?(): void;
  reopenLog?(): Promise<void>;
  setDebug?(on: boolean): void;
}

/**
 * Signals that a terminal or a service manager sends to every process of a group: the primary handles them. SIGUSR1 would have Node.js
 * open a debugger.
 */
const SIGNALS_OF_THE_PRIMARY = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/**
 * Executes the orders of the primary process, and ignores signals. Orders that arrive while the worker starts wait until it
 * runs; then it says that it is ready.
 *
 * @returns call it with the worker once that runs
 */
export function followPrimary(): (worker: Worker) => void {
  for (const signal of SIGNALS_OF_THE_PRIMARY) process.on(signal, ignore);
  const early: unknown[] = [];
  const keep = (message: unknown): void => void early.push(message);
  process.on('message', keep);
  return (worker) => {
    process.off('message', keep);
    process.on('message', (order) => execute(worker, order));
    // For every listener: others wait for messages as well, such as those for metrics.
    for (const message of early) process.emit('message', message, undefined);
    process.send?.(READY);
  };
}

function execute(worker: Worker, order: unknown): void {
  if (order === STOP) void worker.stop('the primary stops').then((done) => process.exit(done ? 0 : 1));
  if (order === HURRY) worker.hurry?.();
  if (order === REOPEN_LOG) void worker.reopenLog?.();
  if (order === LOG_EVERYTHING) worker.setDebug?.(true);
  if (order === LOG_AS_CONFIGURED) worker.setDebug?.(false);
}

function ignore(): void {}
