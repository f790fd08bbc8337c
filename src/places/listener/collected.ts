import { joined } from '../../core/index.ts';

/** Below this, in bytes, chunks are put together at the end: they are few. */
const SMALL = 65_536;

/**
 * The bytes of a body that arrives in chunks. If its length is known ahead, each chunk is copied to its place and let go at once: as
 * a list, a large body would take twice its size when it is complete.
 */
export class Collected {
  readonly #expected: number;
  #chunks: Buffer[] = [];
  #whole: Buffer | undefined;
  #length = 0;

  /** @param expected how many bytes are to come, within bounds; 0 if that is not known */
  constructor(expected: number) {
    this.#expected = expected > SMALL ? expected : 0;
  }

  /** How many bytes there are. */
  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    const start = this.#length;
    this.#length += chunk.length;
    // More than expected is not expected of Node's parser, and would be lost here.
    if (this.#length > this.#expected) this.#addToList(chunk);
    else chunk.copy((this.#whole ??= Buffer.allocUnsafeSlow(this.#expected)), start);
  }

  /** All of them, once. */
  take(): Buffer {
    const bytes = this.#whole?.subarray(0, this.#length) ?? joined(this.#chunks);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#chunks = [];
    this.#whole = undefined;
  }

  #addToList(chunk: Buffer): void {
    if (this.#whole !== undefined) this.#chunks.push(this.#whole.subarray(0, this.#length - chunk.length));
    this.#whole = undefined;
    this.#chunks.push(chunk);
  }
}
