import process from 'node:process';
import type { Configuration } from '../config/index.ts';
import { whyUnwritable } from '../files/index.ts';
import { loadLogger, type FileSink, type RootLogger } from '../telemetry/log/index.ts';
import { toErrno } from './errno.ts';
import { StartFailure } from './failure.ts';

/** The log of the process; `reopen` opens a log file again by its name. */
export interface ProcessLog {
  readonly log: RootLogger;
  readonly reopen?: () => Promise<void>;
}

/**
 * Opens the log: standard output, or a file.
 *
 * @throws StartFailure if the file cannot be written
 */
export async function openLog(options: Configuration['log'], file: string | undefined): Promise<ProcessLog> {
  const { createLogger, openFileSink } = await loadLogger();
  if (file === undefined) {
    const log = createLogger(options);
    logCrash(log);
    return { log };
  }
  const sink = await openFileSink(file).catch((error: unknown) => {
    throw new StartFailure(logFileFailure(error, file));
  });
  const log = createLogger({ ...options, sink });
  logCrash(log);
  return { log, reopen: () => reopen(sink, log) };
}

/** Node.js prints the reason, too, but not as an entry of the log. */
export function logCrash(log: RootLogger): void {
  process.on('uncaughtExceptionMonitor', (error) => log.error('Crashed', { error }));
}

async function reopen(sink: FileSink, log: RootLogger): Promise<void> {
  try {
    await sink.reopen();
    log.debug('Log file reopened');
  } catch (error) {
    log.error('Log file reopen failed; keeping the current file', { error });
  }
}

function logFileFailure(error: unknown, file: string): string {
  const code = toErrno(error).code ?? 'unknown';
  return `The log file ${file} cannot be written: ${whyUnwritable(error)} (${code}).`;
}
