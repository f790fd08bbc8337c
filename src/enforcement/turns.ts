import { performance } from 'node:perf_hooks';
import _ from 'lodash';

/** How long work may hold the event loop before everything else has its turn, unless one piece takes longer. Milliseconds. */
const SLICE = 5;
/**
 * Passes of the event loop for each millisecond of work. In one pass a new connection is accepted (libuv takes one at a time),
 * in the next its request is read and answered, where that takes as little as a health probe does; a pass with nothing to do
 * takes microseconds.
 */
const PASSES = 1;
/** The fewest, where the loop was held for a slice; for less, one is enough, as others had theirs meanwhile. */
const MIN_PASSES = 3;
/** How much longer a large piece of work waits than a small one that comes at the same time: milliseconds a byte. */
const PATIENCE = 200 / (1024 * 1024);

interface Piece {
  /** Who is due first goes first, on the clock of `performance.now()`. */
  readonly due: number;
  run(): void;
}

/**
 * Shares the event loop between pieces of synchronous work and everything else that the process does. Masking a large payload
 * takes tens of milliseconds; without turns, those whose decisions arrive together would run one behind the other, and
 * nothing would be read or answered until the last is done.
 *
 * Small pieces go before large ones, but each is due in the end: none waits for ever.
 */
export class Turns {
  readonly #waiting: Piece[] = [];
  /** How long work has run since everything else had its turn, in milliseconds. */
  #spent = 0;
  #isYielding = false;

  /**
   * Does a piece of work when its turn comes: at once where the loop is not held by others.
   *
   * @param size what it works on, in bytes
   * @returns what it returns, or rejects with what it throws
   */
  async take<T>(size: number, work: () => T): Promise<T> {
    if (this.#spent >= SLICE || this.#waiting.length > 0) await this.#turn(size);
    const start = performance.now();
    try {
      return work();
    } finally {
      this.#spent += performance.now() - start;
      this.#goOn();
    }
  }

  #turn(size: number): Promise<void> {
    return new Promise((run) => {
      const piece = { due: performance.now() + size * PATIENCE, run };
      this.#waiting.splice(_.sortedLastIndexBy(this.#waiting, piece, 'due'), 0, piece);
    });
  }

  #goOn(): void {
    if (this.#spent < SLICE) this.#waiting.shift()?.run();
    if (this.#spent > 0) this.#yield();
  }

  /** Lets everything else have its turn, then goes on with those that wait. */
  #yield(): void {
    if (this.#isYielding) return;
    this.#isYielding = true;
    setImmediate(() => this.#pass(this.#spent < SLICE ? 0 : Math.max(MIN_PASSES, this.#spent * PASSES) - 1));
  }

  #pass(left: number): void {
    if (left > 0) {
      setImmediate(() => this.#pass(left - 1));
      return;
    }
    this.#isYielding = false;
    this.#spent = 0;
    this.#goOn();
  }
}
