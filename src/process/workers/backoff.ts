const FIRST_DELAY = 100;
const LONGEST_DELAY = 30_000;
/** A worker that ran this long had started well: its end is not a failure to start. Milliseconds. */
const STABLE_UPTIME = 60_000;

/** How long to wait before a worker is started again: longer after each early exit in a row. */
export class Backoff {
  #earlyExits = 0;

  /**
   * @param uptime how long the worker ran, in milliseconds
   * @returns milliseconds
   */
  delayAfter(uptime: number): number {
    this.#earlyExits = uptime < STABLE_UPTIME ? this.#earlyExits + 1 : 0;
    return Math.min(FIRST_DELAY * 2 ** Math.max(this.#earlyExits - 1, 0), LONGEST_DELAY);
  }
}
