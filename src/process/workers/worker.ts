import process from 'node:process';
import { LOG_AS_CONFIGURED, LOG_EVERYTHING, REOPEN_LOG, STOP } from './orders.ts';

/** What a worker does when it is told to. */
interface Worker {
  stop(reason: string): Promise<boolean>;
  reopenLog?(): Promise<void>;
  setDebug?(on: boolean): void;
}

/** Signals that a terminal or a service manager sends to every process of a group: it is the primary that heeds them. */
const SIGNALS_OF_THE_PRIMARY = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const;

/** Does what the primary process orders, and nothing else. */
export function followPrimary(worker: Worker): void {
  for (const signal of SIGNALS_OF_THE_PRIMARY) process.on(signal, ignore);
  process.on('message', (order) => {
    if (order === STOP) void worker.stop('the primary stops').then((done) => process.exit(done ? 0 : 1));
    if (order === REOPEN_LOG) void worker.reopenLog?.();
    if (order === LOG_EVERYTHING) worker.setDebug?.(true);
    if (order === LOG_AS_CONFIGURED) worker.setDebug?.(false);
  });
}

function ignore(): void {}
