import { writeSync } from 'node:fs';
import process from 'node:process';
import type { Writable } from 'node:stream';

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;

/**
 * Writes what a descriptor takes at once. Only what is left needs a stream, which takes longer to load than a short command runs;
 * if nothing was written, the stream says why.
 *
 * @returns how many bytes were written
 */
function writeNow(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes);
  } catch {
    return 0;
  }
}

/** A standard output as bytes are written to it. */
interface StandardFile {
  readonly writeNow: (bytes: Uint8Array) => number;
  readonly open: () => Writable;
}

export const standardOutput: StandardFile = {
  writeNow: (bytes) => writeNow(STANDARD_OUTPUT, bytes),
  open: () => process.stdout,
};

export const standardError: StandardFile = {
  writeNow: (bytes) => writeNow(STANDARD_ERROR, bytes),
  open: () => process.stderr,
};
