import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** What is collected before it is written, in bytes. */
const BLOCK = 64 * 1024;

/** The reader has closed the output, as `head` does: nothing more is to be written. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** Writes to an output as fast as that takes it, in blocks. */
export class Output {
  readonly #stream: Writable;
  #chunks: Buffer[] = [];
  #length = 0;
  #failure: Error | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#failure = error.code === 'EPIPE' ? new OutputClosed() : error;
    });
  }

  /** @throws OutputClosed, or what keeps the output from being written */
  async write(chunks: readonly Buffer[]): Promise<void> {
    for (const chunk of chunks) {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
    }
    if (this.#length >= BLOCK) await this.flush();
  }

  /** Resolves when everything has been handed over. */
  async flush(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.#length === 0) return;
    const block = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#length = 0;
    if (!this.#stream.write(block)) await once(this.#stream, 'drain').catch(() => undefined);
    if (this.#failure) throw this.#failure;
  }
}
