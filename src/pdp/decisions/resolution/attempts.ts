/** How many answers are not compared with the one before at most. */
const MAX_PAUSE = 31;

/** The more often answers have nothing in common, the less often they are compared. */
export class Attempts {
  private pause = 0;
  private lastPause = 0;

  /** Whether the next answer is to be compared. */
  get isNext(): boolean {
    return this.pause === 0;
  }

  isDue(): boolean {
    if (this.pause === 0) return true;
    this.pause--;
    return false;
  }

  note(isSuccess: boolean): void {
    this.lastPause = isSuccess ? 0 : Math.min(2 * this.lastPause + 1, MAX_PAUSE);
    this.pause = this.lastPause;
  }
}
