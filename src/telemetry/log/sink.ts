import type { Writable } from 'node:stream';

/** The destination of log lines. */
export interface LogSink {
  /** How many lines could not be written, since the start. */
  readonly lost: number;

  /** Takes one line, without its line break. Never throws and never waits: a line that cannot be written is counted. */
  write(line: string): void;

  /** Resolves when everything taken is written or lost. Never rejects. */
  close(): Promise<void>;
}

/** What may wait in memory for a reader that does not read. A burst of dry run lines fits, a stalled day does not. */
export const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/** The failure of a write reaches its callback as well; without a listener the event would end the process. */
function ignoreError(): void {}

/**
 * A sink on a stream such as standard output, which is flushed at the end but never ended.
 *
 * @param maxPendingBytes bytes that may wait in the stream before lines are lost instead.
 */
export function streamSink(stream: Writable, maxPendingBytes = MAX_PENDING_BYTES): LogSink {
  let lost = 0;
  stream.off('error', ignoreError).on('error', ignoreError);

  function write(line: string): void {
    if (stream.writableLength > maxPendingBytes) {
      lost += 1;
      return;
    }
    stream.write(`${line}\n`, (error) => {
      if (error) lost += 1;
    });
  }

  return {
    get lost() {
      return lost;
    },
    write,
    close: () => new Promise((resolve) => void stream.write('', () => resolve())),
  };
}
