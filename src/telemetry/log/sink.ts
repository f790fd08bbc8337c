import process from 'node:process';
import type { Writable } from 'node:stream';

/** The destination of log lines. */
export interface LogSink {
  /** How many lines could not be written, since the start. */
  readonly lost: number;

  /** Takes one line, without its line break. Never throws and never waits: a line that cannot be written is counted. */
  write(line: string): void;

  /** Resolves when everything taken is written or lost: what nobody reads within three seconds is. Never rejects. */
  close(): Promise<void>;
}

/** What may wait in memory for a reader that does not read. A burst of dry run lines fits, a stalled day does not. */
export const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/** How long the last lines may take to be written, in milliseconds: a reader that does not read must not keep a process from ending. */
const CLOSE_TIMEOUT = 3000;

/** Waits for the last lines, but not for ever. */
export async function writtenInTime(written: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, CLOSE_TIMEOUT);
  await Promise.race([written, late]);
  clearTimeout(timer);
}

/** The failure of a write reaches its callback as well; without a listener the event would end the process. */
function ignoreError(): void {}

/** What waits in the sinks of this process is written when it ends without having closed them, as in a crash. */
const unwritten = new Set<() => void>();

function writeAtExit(flush: () => void): void {
  if (unwritten.size === 0) process.once('exit', flushAll);
  unwritten.add(flush);
}

function writtenBefore(flush: () => void): void {
  unwritten.delete(flush);
  if (unwritten.size === 0) process.off('exit', flushAll);
}

function flushAll(): void {
  for (const flush of unwritten) flush();
}

/**
 * A sink on a stream such as standard output, which is flushed at the end but never ended. The lines of one turn of the event loop
 * are one write: under load, there is a line for each request.
 *
 * @param maxPendingBytes bytes that may wait in the stream before lines are lost instead.
 */
export function streamSink(stream: Writable, maxPendingBytes = MAX_PENDING_BYTES): LogSink {
  let lost = 0;
  let lines: string[] = [];
  let length = 0;
  stream.off('error', ignoreError).on('error', ignoreError);

  function flush(): void {
    if (lines.length === 0) return;
    writtenBefore(flush);
    const count = lines.length;
    const text = `${lines.join('\n')}\n`;
    lines = [];
    length = 0;
    stream.write(text, (error) => {
      if (error) lost += count;
    });
  }

  function write(line: string): void {
    if (stream.writableLength + length > maxPendingBytes) {
      lost += 1;
      return;
    }
    if (lines.push(line) === 1) {
      writeAtExit(flush);
      setImmediate(flush);
    }
    length += line.length + 1;
  }

  return {
    get lost() {
      return lost;
    },
    write,
    close() {
      flush();
      return writtenInTime(new Promise((resolve) => void stream.write('', () => resolve())));
    },
  };
}
