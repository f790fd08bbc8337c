import { setImmediate as turn } from 'node:timers/promises';

/**
 * Has questions that arrive together answered one after the other. Between two of them, others are read and answered, and what an answer
 * was written from is let go.
 */
export class Turns {
  #latest: Promise<void> = Promise.resolve();

  /** @returns when the next question may be answered */
  next(): Promise<void> {
    return (this.#latest = this.#latest.then(() => turn()));
  }
}
