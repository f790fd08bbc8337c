import { joined } from '../../core/index.ts';
import type { ServiceError } from '../../errors.ts';
import type { AnswerFlow, AnswerSink } from './upstream.ts';

/** How much of an answer may wait to be taken before the application has to wait. Bytes. */
const HIGH_WATER = 256 * 1024;
/** What a chunk takes in addition to its content, in bytes: an application may send its answer byte by byte. */
const CHUNK_COST = 200;
/** Chunks that are shorter, in bytes, are taken together: each that is taken costs as much, or more if it has to be decompressed. */
const SHORT = 1024;

/** The body of an answer, to be taken chunk by chunk. */
export class ChunkQueue implements AnswerSink, AsyncIterable<Buffer> {
  readonly #flow: AnswerFlow;
  #chunks: Buffer[] = [];
  #size = 0;
  #isOver = false;
  #error: ServiceError | undefined;
  #wake: (() => void) | undefined;

  constructor(flow: AnswerFlow) {
    this.#flow = flow;
  }

  data(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length + CHUNK_COST;
    if (this.#size > HIGH_WATER) this.#flow.pause();
    this.#wake?.();
  }

  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  fail(error: ServiceError): void {
    this.#error = error;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error;
      const chunks = this.#take();
      yield* withoutShort(chunks);
      if (chunks.length > 0) continue;
      if (this.#isOver) return;
      // oxlint-disable-next-line no-await-in-loop -- it waits for the next chunk
      await new Promise<void>((wake) => (this.#wake = wake));
    }
  }

  #take(): readonly Buffer[] {
    const chunks = this.#chunks;
    const isPaused = this.#size > HIGH_WATER;
    this.#chunks = [];
    this.#size = 0;
    // More chunks may arrive before this returns.
    if (isPaused) this.#flow.resume();
    return chunks;
  }
}

/** The same bytes, without short chunks next to one another. To copy the long ones, too, would cost more than it saves. */
function* withoutShort(chunks: readonly Buffer[]): Generator<Buffer> {
  let short: Buffer[] = [];
  for (const chunk of chunks) {
    if (chunk.length < SHORT) short.push(chunk);
    else {
      if (short.length > 0) yield joined(short);
      short = [];
      yield chunk;
    }
  }
  if (short.length > 0) yield joined(short);
}
