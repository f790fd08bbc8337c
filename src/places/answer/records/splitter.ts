import type { ServiceError } from '../../../errors.ts';
import { notEnforceable } from '../problems.ts';

/** A part of a stream: bytes that are no data and pass, or one payload and what goes around it. */
export type Item = Buffer | RecordItem;

interface RecordItem {
  readonly json: Buffer;
  /** What is sent for the record, in chunks. @param masked its JSON after enforcement, in chunks */
  frame(masked: readonly Buffer[]): readonly Buffer[];
}

/** Takes a stream apart as it arrives. Memory is bounded by the largest record. */
export interface Splitter {
  /**
   * What a chunk completes. All of it has to be taken before the next chunk is pushed.
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

/** Bytes that wait for the rest of their record. A record that arrives byte by byte takes no more than twice its size. */
export class Pending {
  readonly #limit: RecordLimit;
  #chunks: Buffer[] = [];
  /** How many of the chunks are copies of {@link MAX_SMALL} others. */
  #joined = 0;
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
    if (this.#chunks.length - this.#joined < MAX_SMALL) return;
    this.#chunks.push(Buffer.concat(this.#chunks.splice(this.#joined)));
    this.#joined++;
  }

  /** All bytes so far. They stay. */
  peek(): Buffer {
    const [only, ...others] = this.#chunks;
    const whole = only !== undefined && others.length === 0 ? only : Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [whole];
    this.#joined = 0;
    return whole;
  }

  take(): Buffer {
    const whole = this.peek();
    this.#chunks = [];
    this.#joined = 0;
    this.#size = 0;
    return whole;
  }
}

export function recordTooLarge({ key }: RecordLimit): ServiceError {
  return notEnforceable(`a record of the stream is too large (${key})`);
}

/** Whether there is nothing but white space. */
export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CR || byte === LF);
}
