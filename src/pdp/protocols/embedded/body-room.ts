/** The memory for bodies of questions, all that arrive or are answered together. */
export class BodyRoom {
  readonly #most: number;
  #taken = 0;

  /** @param most in bytes; a body that is alone gets what it wants */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Takes room for more of a body.
   *
   * @param held what the same body has taken before, in bytes
   * @returns false if there is none; then nothing is taken
   */
  take(more: number, held: number): boolean {
    if (this.#taken > held && this.#taken + more > this.#most) return false;
    this.#taken += more;
    return true;
  }

  /** Gives back what a body has taken, in bytes. */
  give(held: number): void {
    this.#taken -= held;
  }
}
