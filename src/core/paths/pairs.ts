import { SEED } from '../seed.ts';

/** The first numbers are for other uses. */
const FIRST = 32;
/** How many pairs are known at a time. Beyond that, all are forgotten. */
const MAX_KNOWN = 2 ** 14;
/** Both parts of a pair, its number, which is 0 if there is none, and a word that is not used. */
const WORDS = 4;
const FIRST_ROOM = 32;

/** Numbers pairs of numbers: the same number for the same pair as long as it is known, and never that of another one. */
export class Pairs {
  /** By hash; at most half of it is filled. */
  private table = new Float64Array(FIRST_ROOM * WORDS);
  private known = 0;
  private count = FIRST;

  /**
   * @param one undefined, less than 32, or the number of a pair
   * @returns undefined if a part of it is, or is so large that it may be rounded
   */
  of(one: number | undefined, other: number | undefined): number | undefined {
    if (one === undefined || other === undefined || other > Number.MAX_SAFE_INTEGER) return undefined;
    const at = slotOf(this.table, one, other);
    const before = this.table[at + 2]!;
    return before === 0 ? this.add(at, one, other) : before;
  }

  private add(slot: number, one: number, other: number): number {
    let at = slot;
    if (++this.known * WORDS * 2 > this.table.length) {
      this.makeRoom();
      at = slotOf(this.table, one, other);
    }
    const { table } = this;
    table[at] = one;
    table[at + 1] = other;
    table[at + 2] = this.count;
    return this.count++;
  }

  private makeRoom(): void {
    const before = this.table;
    if (this.known > MAX_KNOWN) {
      this.table = new Float64Array(FIRST_ROOM * WORDS);
      this.known = 1;
      return;
    }
    this.table = new Float64Array(before.length * 2);
    for (let at = 0; at < before.length; at += WORDS)
      if (before[at + 2] !== 0)
        this.table.set(before.subarray(at, at + WORDS), slotOf(this.table, before[at]!, before[at + 1]!));
  }
}

/** Where a pair is in a table, or where there is room for it. */
function slotOf(table: Float64Array, one: number, other: number): number {
  const mask = table.length - 1;
  const hash = Math.imul(Math.imul(SEED ^ one, 0x9e3779b1) ^ other, 0x9e3779b1);
  for (let at = ((hash ^ (hash >>> 15)) * WORDS) & mask; ; at = (at + WORDS) & mask)
    if (table[at + 2] === 0 || (table[at] === one && table[at + 1] === other)) return at;
}
