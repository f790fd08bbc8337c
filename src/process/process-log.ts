import process from 'node:process';
import type { Configuration } from '../config/index.ts';
import { createLogger, openFileSink, type FileSink, type RootLogger } from '../telemetry/log/index.ts';
import { toErrno } from './errno.ts';
import { StartFailure } from './failure.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  EACCES: 'this user may not write it',
  EISDIR: 'it is a folder',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
};

/** The log of the process, and a way to go on in a new file where it is one. */
export interface ProcessLog {
  readonly log: RootLogger;
  readonly reopen?: () => Promise<void>;
}

/**
 * Opens the log: standard output, or a file (specification 1.5).
 *
 * @throws StartFailure where the file cannot be written
 */
export async function openLog(options: Configuration['log'], file: string | undefined): Promise<ProcessLog> {
  if (file === undefined) return { log: createLogger(options) };
  const sink = await openFileSink(file).catch((error: unknown) => {
    throw new StartFailure(logFileFailure(error, file));
  });
  const log = createLogger({ ...options, sink });
  process.on('uncaughtExceptionMonitor', (error) => log.error('Crashed', { error }));
  return { log, reopen: () => reopen(sink, log) };
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
  return `The log file ${file} cannot be written: ${REASONS[code] ?? 'the system refuses'} (${code}).`;
}
