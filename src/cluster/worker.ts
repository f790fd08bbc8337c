import process from 'node:process';
import { REOPEN_LOG, STOP } from './orders.ts';

/** What a worker does when it is told to. */
interface Worker {
  stop(reason: string): Promise<void>;
  reopenLog?(): Promise<void>;
}

/** Signals that a terminal or a service manager sends to every process of a group: it is the primary that heeds them. */
const SIGNALS_OF_THE_PRIMARY = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Does what the primary process orders, and nothing else. */
export function followPrimary(worker: Worker): void {
  for (const signal of SIGNALS_OF_THE_PRIMARY) process.on(signal, ignore);
  process.on('message', (order) => {
    if (order === STOP) void worker.stop('the primary stops').then(() => process.exit(0));
    if (order === REOPEN_LOG) void worker.reopenLog?.();
  });
}

function ignore(): void {}
