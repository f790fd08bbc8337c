/** Room for what several requests hold in memory together, in bytes or characters. */
export class Room {
  readonly #size: number;
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /**
   * Takes more of it.
   *
   * @returns false if there is too little; then nothing is taken
   */
  take(more: number): boolean {
    if (this.#taken + more > this.#size) return false;
    this.#taken += more;
    return true;
  }

  /** Gives back what was taken. */
  give(held: number): void {
    this.#taken -= held;
  }
}
