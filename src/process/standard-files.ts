import { createReadStream, fstatSync, writeSync } from 'node:fs';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { toErrno } from './errno.ts';

const STANDARD_INPUT = 0;
const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;

/**
 * Standard input. The stream of Node.js is empty if it is a folder or a block device; this one reads it, or says why it
 * cannot.
 */
export function standardInput(): Readable {
  const file = fstatSync(STANDARD_INPUT);
  const isUnknown = file.isDirectory() || file.isBlockDevice();
  return isUnknown ? createReadStream('', { fd: STANDARD_INPUT }) : process.stdin;
}

/** Standard output cannot be written; the cause is the error of the system. */
export class OutputFailure extends Error {
  override readonly name = 'OutputFailure';
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super('Standard output cannot be written.');
    this.cause = cause;
  }
}

/** A standard file as bytes are written to it. */
interface StandardFile {
  /**
   * Writes what the file takes at once. Only what is left needs a stream, which takes longer to load than a short command
   * runs.
   *
   * @returns how many bytes were written
   */
  readonly writeNow: (bytes: Uint8Array) => number;
  readonly open: () => Writable;
}

/** Of these, the stream knows what to do: to wait, or that the reader has gone. */
const FOR_STREAM: ReadonlySet<string | undefined> = new Set(['EAGAIN', 'EPIPE']);

export const standardOutput = {
  /** @throws OutputFailure */
  writeNow(bytes: Uint8Array): number {
    let written = 0;
    while (written < bytes.length) {
      try {
        written += writeSync(STANDARD_OUTPUT, bytes, written);
      } catch (error) {
        if (FOR_STREAM.has(toErrno(error).code)) return written;
        throw new OutputFailure(error);
      }
    }
    return written;
  },
  open: () => process.stdout,
  failure: (error: Error) => new OutputFailure(error),
} satisfies StandardFile & { readonly failure: (error: Error) => Error };

/** Of what cannot be written to standard error, nobody can be told. */
export const standardError: StandardFile = {
  writeNow(bytes) {
    try {
      return writeSync(STANDARD_ERROR, bytes);
    } catch {
      return 0;
    }
  },
  open: () => process.stderr,
};
