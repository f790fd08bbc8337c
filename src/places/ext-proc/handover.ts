/** Hands chunks over one by one: who gives one waits until the next one is wanted. */
export class Handover implements AsyncIterable<Buffer> {
  #chunk: Buffer | undefined;
  #isOver = false;
  #isClosed = false;
  #wakeTaker: (() => void) | undefined;
  #wakeGiver: (() => void) | undefined;

  /** Resolves when the next chunk is wanted, or none is any more. */
  give(chunk: Buffer): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#chunk = chunk;
      this.#wakeGiver = resolve;
      this.#wakeTaker?.();
    });
  }

  /** No chunk follows. */
  end(): void {
    this.#isOver = true;
    this.#wakeTaker?.();
  }

  /** Gives up. To the taker, that is an error: what it has is not the whole. */
  close(): void {
    this.#isClosed = true;
    this.#chunk = undefined;
    this.#wakeTaker?.();
    this.#wakeGiver?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    while (!this.#isClosed) {
      const chunk = this.#chunk;
      this.#chunk = undefined;
      if (chunk !== undefined) yield chunk;
      else if (this.#isOver) return;
      else {
        this.#wakeGiver?.();
        // oxlint-disable-next-line no-await-in-loop -- it waits for the next chunk
        await new Promise<void>((wake) => (this.#wakeTaker = wake));
      }
    }
    throw new Error('The stream was given up.');
  }
}
