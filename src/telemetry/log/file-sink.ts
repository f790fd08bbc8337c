import { constants, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { MAX_PENDING_BYTES, writtenInTime, type LogSink } from './sink.ts';

/** A sink on a file that others may rename while it is written. */
export interface FileSink extends LogSink {
  /**
   * Opens the file again by its name, which creates it if the old one was renamed, and continues there. No line is lost
   * in between.
   *
   * @throws the system's error if the file cannot be opened; the sink then keeps the old one
   */
  reopen(): Promise<void>;
}

/** What the sink needs of an open file. */
interface LogFile {
  readonly fd: number;
  write(bytes: Buffer, offset: number): Promise<{ readonly bytesWritten: number }>;
  close(): Promise<void>;
}

type OpenLogFile = (file: string) => Promise<LogFile>;

/** Who uses what is logged: its owner writes it, its group may read it. */
const MODE = 0o640;

const LINE_FEED = 0x0a;

/** After how many milliseconds a pipe that is full is tried again. */
const FULL_PIPE_PAUSE = 20;

/** Returns how many bytes are in the file: fewer than all of them if writing failed. */
async function writeWhole(file: LogFile, batch: Buffer): Promise<number> {
  let written = 0;
  while (written < batch.length) {
    // oxlint-disable-next-line no-await-in-loop -- one part after the other
    const bytes = await writeSome(file, batch, written);
    if (bytes === 0) break;
    written += bytes ?? 0;
  }
  return written;
}

/** @returns how many bytes were written: none if writing failed; undefined after a pause if a pipe is full */
async function writeSome(file: LogFile, batch: Buffer, from: number): Promise<number | undefined> {
  try {
    return (await file.write(batch, from)).bytesWritten;
  } catch (error) {
    if (!isFullPipe(error)) return 0;
    return wait(FULL_PIPE_PAUSE, undefined);
  }
}

function isFullPipe(error: unknown): boolean {
  return Error.isError(error) && 'code' in error && error.code === 'EAGAIN';
}

function linesIn(text: Buffer): number {
  return text.toString().split('\n').length - 1;
}

/**
 * Writes what was logged since the last write at once, whole lines in append mode, so that the lines of several
 * processes on one file do not mix. The process never waits for it.
 */
class AppendingSink implements FileSink {
  lost = 0;
  readonly #openAgain: () => Promise<LogFile>;
  #file: LogFile;
  #pending: string[] = [];
  #pendingBytes = 0;
  #batch: Promise<void> | undefined;
  #closed = false;
  /** Whether the file ends in a part of a line, after the disk was full. */
  #torn = false;

  constructor(file: LogFile, openAgain: () => Promise<LogFile>) {
    this.#file = file;
    this.#openAgain = openAgain;
    process.on('exit', this.#writePending);
  }

  write(line: string): void {
    if (this.#closed || this.#pendingBytes > MAX_PENDING_BYTES) {
      this.lost += 1;
      return;
    }
    this.#pendingBytes += line.length;
    if (this.#pending.push(line) === 1) setImmediate(this.#writeOn);
  }

  async reopen(): Promise<void> {
    const file = await this.#openAgain();
    if (this.#closed) return file.close();
    this.#writeOn();
    const old = this.#file;
    this.#file = file;
    this.#torn = false;
    await this.#batch;
    await old.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    process.off('exit', this.#writePending);
    await writtenInTime(this.#closeWritten());
  }

  async #closeWritten(): Promise<void> {
    await this.#untilWritten();
    await this.#file.close().catch(() => undefined);
  }

  async #untilWritten(): Promise<void> {
    this.#writeOn();
    if (this.#batch === undefined) return;
    await this.#batch;
    await this.#untilWritten();
  }

  async #append(file: LogFile, batch: Buffer): Promise<void> {
    const written = await writeWhole(file, batch);
    // A line feed at the beginning ends a line that is counted already.
    this.lost += linesIn(batch.subarray(Math.max(written, Number(batch[0] === LINE_FEED))));
    if (written > 0 && file === this.#file) this.#torn = batch[written - 1] !== LINE_FEED;
  }

  /** All pending lines; after a part of a line, they begin on a new line. */
  #takePending(): Buffer {
    const text = `${this.#torn ? '\n' : ''}${this.#pending.join('\n')}\n`;
    this.#pending = [];
    this.#pendingBytes = 0;
    return Buffer.from(text);
  }

  /**
   * Writes what waits, unless a batch is under way: what waits then follows it. That begins at the end of a turn of the
   * event loop: if the process ends within one, all lines of the turn are still here, and none overtakes another.
   */
  readonly #writeOn = (): void => {
    if (this.#batch !== undefined || this.#pending.length === 0) return;
    this.#batch = this.#append(this.#file, this.#takePending()).finally(() => {
      this.#batch = undefined;
      if (this.#pending.length > 0) setImmediate(this.#writeOn);
    });
  };

  /** The process ends without having closed the log, as in a crash: the last lines are the ones that explain it. */
  readonly #writePending = (): void => {
    if (this.#pending.length === 0) return;
    try {
      writeSync(this.#file.fd, this.#takePending());
    } catch {
      // The process is gone; nobody is left to count what is lost.
    }
  };
}

/**
 * Opens a file to append lines to, and creates it if it does not exist.
 *
 * @throws the system's error if it cannot be written
 */
export async function openFileSink(file: string, openFile: OpenLogFile = openToAppend): Promise<FileSink> {
  const openAgain = (): Promise<LogFile> => openFile(file);
  return new AppendingSink(await openAgain(), openAgain);
}

/** A pipe is not waited for: a process in which a write waits cannot end. */
function openToAppend(file: string): Promise<LogFile> {
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
  return open(file, O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY, MODE);
}
