import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The size of the largest file that the service is set up with. */
const MAX_MB = 64;
const MAX_BYTES = MAX_MB * 1024 * 1024;
const CHUNK = 64 * 1024;

/** The reason is one of {@link whyUnreadable}. */
class TooLargeError extends Error {
  readonly code = 'EFBIG';
}

class NotRegularError extends Error {
  readonly code = 'ENXIO';
}

/** How the bytes of a file are read. @throws Error with a `code` that {@link whyUnreadable} knows */
export type FileReader = (file: string) => Buffer;

/**
 * The bytes of a file that the service is set up with. It may have no end, as a device has none, so reading stops at a limit.
 *
 * @throws Error with a `code`, of the system or `EFBIG`
 */
export function readBounded(file: string): Buffer {
  return readAll(openSync(file, 'r'));
}

/**
 * As {@link readBounded}, but never waits: it refuses pipes and devices, from which there may be nothing to read for ever.
 *
 * @throws Error with a `code`, of the system, `EFBIG`, or `ENXIO` if it is not a regular file
 */
export function readRegular(file: string): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return readAll(descriptor, () => {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() && !stats.isDirectory()) throw new NotRegularError('Not a regular file');
  });
}

/** @param check called before it is read */
function readAll(descriptor: number, check: () => void = () => undefined): Buffer {
  try {
    check();
    const chunks = [...chunksOf(descriptor)];
    const bytes = Buffer.concat(chunks);
    // They may be a secret, which the caller can erase in one place only.
    for (const chunk of chunks) chunk.fill(0);
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

function* chunksOf(descriptor: number): Generator<Buffer> {
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafeSlow(CHUNK);
    const count = readSync(descriptor, chunk);
    if (count === 0) return;
    length += count;
    if (length > MAX_BYTES) throw new TooLargeError(`More than ${MAX_MB} MB`);
    yield chunk.subarray(0, count);
  }
}

/** Why a file of more bytes is not read, in words. */
export const TOO_LARGE = `it has more than ${MAX_MB} MB`;
