const FIRST_DELAY = 100;
const LONGEST_DELAY = 30_000;
/** A worker that lived so long started well: what ended it is no failure to start. */
const LONG_LIFE = 60_000;

/** How long to wait before a worker that died is started again: longer each time that it dies soon. */
export class Backoff {
  #soonDeaths = 0;

  /**
   * @param life how long the worker lived, in milliseconds
   * @returns milliseconds
   */
  delayAfter(life: number): number {
    this.#soonDeaths = life < LONG_LIFE ? this.#soonDeaths + 1 : 0;
    return Math.min(FIRST_DELAY * 2 ** Math.max(this.#soonDeaths - 1, 0), LONGEST_DELAY);
  }
}
