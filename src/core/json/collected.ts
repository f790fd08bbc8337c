import { joined } from './bytes.ts';

/** Below this, in bytes, chunks are put together at the end: they are few. */
const SMALL = 65_536;
/** A chunk that is shorter, in bytes, is copied at once: a buffer of its own takes several hundred bytes more than what is in it. */
const SHORT = 1024;
/** What short chunks are copied to, in bytes. */
const BLOCK = 16_384;
const NOTHING = Buffer.alloc(0);

/**
 * The bytes of a body that arrives in chunks, however short these are. If its length is known ahead, each chunk is copied to its place
 * and let go at once: as a list, a large body would take twice its size when it is complete.
 */
export class Collected {
  readonly #expected: number;
  #chunks: Buffer[] = [];
  #whole: Buffer | undefined;
  #length = 0;
  /** What short chunks are copied to; those from one place on are not in the list yet. */
  #block = NOTHING;
  #open = 0;
  #used = 0;

  /** @param expected how many bytes are to come, within bounds; 0 if that is not known */
  constructor(expected = 0) {
    this.#expected = expected > SMALL ? expected : 0;
  }

  /** How many bytes there are. */
  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    const before = this.#length;
    this.#length += chunk.length;
    if (this.#length <= this.#expected) {
      chunk.copy((this.#whole ??= Buffer.allocUnsafeSlow(this.#expected)), before);
      return;
    }
    // More than expected is not expected of Node's parser, and would be lost here.
    if (this.#whole !== undefined) this.#chunks.push(this.#whole.subarray(0, before));
    this.#whole = undefined;
    // Most bodies are one chunk.
    if (before > 0 && chunk.length < SHORT) this.#copy(chunk);
    else {
      this.#closeBlock();
      this.#chunks.push(chunk);
    }
  }

  /** All of them, once. */
  take(): Buffer {
    this.#closeBlock();
    const bytes = this.#whole?.subarray(0, this.#length) ?? joined(this.#chunks);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#chunks = [];
    this.#whole = undefined;
    this.#block = NOTHING;
    this.#open = 0;
    this.#used = 0;
  }

  #copy(chunk: Buffer): void {
    if (this.#used + chunk.length > this.#block.length) {
      this.#closeBlock();
      this.#block = Buffer.allocUnsafeSlow(BLOCK);
      this.#open = 0;
      this.#used = 0;
    }
    chunk.copy(this.#block, this.#used);
    this.#used += chunk.length;
  }

  /** Lists what the block holds. What is left of it takes further chunks. */
  #closeBlock(): void {
    if (this.#used > this.#open) this.#chunks.push(this.#block.subarray(this.#open, this.#used));
    this.#open = this.#used;
  }
}
