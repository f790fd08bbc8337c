/** The same bytes as a buffer, without a copy. */
export function bufferOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Chunks as one; a single one is not copied. */
export function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

/** Whether bytes are only the white space of JSON. */
export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

const WORD = 4;

/**
 * A hash of the bytes from `start` up to `end`, which are four or more.
 *
 * @param seed what is hashed before them
 */
export function hashOfBytes(view: DataView, start: number, end: number, seed: number): number {
  const last = end - WORD;
  let hash = Math.imul(seed ^ view.getInt32(last, true), 0x9e3779b1);
  for (let at = start; at < last; at += WORD) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash ^ (hash >>> 13);
}

/** Whether two texts have the same bytes for some length, which is four or more. */
export function areSameBytes(
  a: DataView,
  startOfA: number,
  b: DataView,
  startOfB: number,
  length: number,
): boolean {
  const last = length - WORD;
  for (let at = 0; at < last; at += WORD)
    if (a.getInt32(startOfA + at, true) !== b.getInt32(startOfB + at, true)) return false;
  return a.getInt32(startOfA + last, true) === b.getInt32(startOfB + last, true);
}
