import type { Payload } from '../../../enforcement/index.ts';
import type { ServiceError } from '../../../errors.ts';
import { notEnforceable } from '../problems.ts';

/** A part of a stream: bytes that are no data and pass, or one payload and what goes around it. */
export type Item = Buffer | RecordItem;

interface RecordItem {
  readonly json: Payload;
  /** What is sent for the record, in chunks. @param masked its JSON after enforcement, in chunks */
  frame(masked: readonly Buffer[]): readonly Buffer[];
}

/** Takes a stream apart as it arrives. Memory is bounded by the largest record. */
export interface Splitter {
  /**
   * What a chunk completes. All of it has to be taken before the next chunk is pushed; then its owner may write to the chunk
   * again.
   *
   * @throws ServiceError `response-not-enforceable` if a record is too large, or if this is no such stream
   */
  push(chunk: Buffer): Iterable<Item>;
  /** The stream has ended. */
  end(): Iterable<Item>;
  /** Bytes of the record that has not ended. */
  readonly size: number;
}

/** How large a record may be. */
export interface RecordLimit {
  readonly bytes: number;
  /** The key of the configuration that says so, for messages. */
  readonly key: string;
}

export const LF = 0x0a;
export const CR = 0x0d;
export const NEWLINE = Buffer.from('\n');

/** Of what is bounded elsewhere. */
export const UNBOUNDED: RecordLimit = { bytes: Infinity, key: '' };

/** How many small chunks wait at most before they are copied into one: a chunk takes about 200 bytes in addition to its content. */
const MAX_SMALL = 256;
const NOTHING = Buffer.alloc(0);

/**
 * Bytes that wait for the rest of their record. A record that arrives byte by byte takes no more than twice its size.
 *
 * What is added is borrowed until {@link own} copies it: most records are whole in one chunk, and need no copy.
 */
export class Pending {
  readonly #limit: RecordLimit;
  #chunks: Buffer[] = [];
  /** How many of the chunks are copies of {@link MAX_SMALL} others. */
  #joined = 0;
  /** How many of the chunks, those before included, are copies. */
  #owned = 0;
  #size = 0;

  constructor(limit: RecordLimit) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  add(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > this.#limit.bytes) throw recordTooLarge(this.#limit);
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    if (this.#chunks.length - this.#joined >= MAX_SMALL) this.#joinSmall();
  }

  /** Copies what is borrowed, so that the chunks that it came from can be let go. */
  own(): void {
    if (this.#chunks.length > this.#owned) this.#join(this.#owned);
  }

  /** Undefined if there is none. */
  get lastByte(): number | undefined {
    return this.#chunks.at(-1)?.at(-1);
  }

  /** All bytes so far. They stay. */
  peek(): Buffer {
    if (this.#chunks.length > 1) this.#join(0);
    this.#joined = 0;
    return this.#chunks[0] ?? NOTHING;
  }

  take(): Buffer {
    const whole = this.peek();
    this.#chunks = [];
    this.#joined = 0;
    this.#owned = 0;
    this.#size = 0;
    return whole;
  }

  /** Small buffers share memory: a part that is kept would keep all of it. */
  #joinSmall(): void {
    this.#join(this.#joined++);
    this.#chunks.push(unshared(this.#chunks.pop() ?? NOTHING));
  }

  /** Puts a copy in the place of all chunks from one on. */
  #join(first: number): void {
    this.#chunks.push(Buffer.concat(this.#chunks.splice(first)));
    this.#owned = this.#chunks.length;
  }
}

function unshared(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

export function recordTooLarge({ bytes, key }: RecordLimit): ServiceError {
  return notEnforceable(`a record of the stream has more than ${bytes} bytes (${key})`);
}
