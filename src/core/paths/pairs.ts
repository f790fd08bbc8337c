/** What is paired with a number is less than this. */
const MAX_PAIRED = 2 ** 20;
/** The first numbers are for other uses. */
const FIRST = 32;
/** Past this many, no more numbers are given: a pair would not be exact. */
const MAX_NUMBERS = 2 ** 32;
/** How many pairs are known at a time. Beyond that, all are forgotten. */
const MAX_KNOWN = 2 ** 14;

/** Numbers pairs of numbers: the same number for the same pair as long as it is known, and never that of another one. */
export class Pairs {
  private readonly known = new Map<number, number>();
  private count = FIRST;

  /**
   * @param one undefined, less than 32, or the number of a pair
   * @returns undefined if a part of it is, or is too large
   */
  of(one: number | undefined, other: number | undefined): number | undefined {
    if (one === undefined || other === undefined || other >= MAX_PAIRED) return undefined;
    const key = one * MAX_PAIRED + other;
    const before = this.known.get(key);
    if (before !== undefined) return before;
    if (this.count >= MAX_NUMBERS) return undefined;
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(key, this.count);
    return this.count++;
  }
}
