import type { Writable } from 'node:stream';

/** What is collected before it is written, in bytes. */
const BLOCK = 64 * 1024;

/** The reader has closed the output, as `head` does: nothing more is to be written. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** Where an output goes. */
export interface Destination {
  /** Writes what it takes at once. @returns how many bytes that is */
  readonly writeNow: (bytes: Buffer) => number;
  /** Opens it as a stream, which is needed only for what it does not take at once. */
  readonly open: () => Writable;
  /** What is thrown if the stream fails, unless its reader has gone. */
  readonly failure: (error: Error) => Error;
}

/** Writes to an output as fast as that takes it, in blocks. */
export class Output {
  readonly #destination: Destination;
  #stream: Writable | undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  #failure: Error | undefined;

  constructor(destination: Destination) {
    this.#destination = destination;
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
    const rest = this.#stream ? block : block.subarray(this.#destination.writeNow(block));
    if (rest.length === 0) return;
    const stream = (this.#stream ??= this.#open());
    const error = await new Promise<Error | null | undefined>((resolve) => stream.write(rest, resolve));
    if (error) throw (this.#failure ??= this.#failureOf(error));
  }

  #open(): Writable {
    return this.#destination.open().on('error', (error) => (this.#failure ??= this.#failureOf(error)));
  }

  #failureOf(error: NodeJS.ErrnoException): Error {
    return error.code === 'EPIPE' ? new OutputClosed() : this.#destination.failure(error);
  }
}
