/** How many sets are distinguished. */
export const MAX_SETS = 2 ** 16;

/** How many sets there is room for at first, and how many places there are for sets that are found without a map. */
const FIRST_SETS = 8;
const MAX_TABLE = 2 ** 13;

/** What a set takes, and where a set leads without the table, in bytes, about. */
const BYTES_PER_SET = 8;
const BYTES_PER_OTHER = 40;

/** The set of all beyond those that are distinguished. */
export const UNSORTED = -1;

/** Numbers sets of segments that select the same elements: 0 is the empty set, a larger one has one more than another. */
export class SelectionSets {
  private readonly count: number;
  private readonly latest: number[] = [-1];
  /** By a smaller set and what it lacks; 0 is not known yet. */
  private larger: Int32Array;
  /** The same beyond those. */
  private readonly others = new Map<number, number>();

  /** @param count how much can be in a set: numbers from 0 on */
  constructor(count: number) {
    this.count = count;
    this.larger = new Int32Array(Math.min(count * FIRST_SETS, MAX_TABLE));
  }

  /** How much it takes, in bytes, about. */
  get weight(): number {
    const { larger, others, latest } = this;
    return larger.byteLength + others.size * BYTES_PER_OTHER + latest.length * BYTES_PER_SET;
  }

  /** The set with one more. What was added last may be added again. */
  with(set: number, one: number): number {
    if (set === UNSORTED) return set;
    const key = set * this.count + one;
    const known = key < this.larger.length ? this.larger[key]! : (this.others.get(key) ?? 0);
    return known === 0 ? this.find(set, one, key) : known;
  }

  private find(set: number, one: number, key: number): number {
    const found = this.latest[set] === one ? set : this.add(one);
    if (key >= this.larger.length && key < MAX_TABLE) this.growTo(key);
    if (key < MAX_TABLE) this.larger[key] = found;
    else if (found !== UNSORTED) this.others.set(key, found);
    return found;
  }

  private add(one: number): number {
    if (this.latest.length === MAX_SETS) return UNSORTED;
    return this.latest.push(one) - 1;
  }

  private growTo(key: number): void {
    const larger = new Int32Array(Math.min(Math.max(key + 1, this.larger.length * 2), MAX_TABLE));
    larger.set(this.larger);
    this.larger = larger;
  }
}
