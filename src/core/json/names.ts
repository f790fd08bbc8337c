/** What is told apart in one text, at most; names beyond have no number. */
const MAX_NAMES = 512;
const BUCKETS = 1024;
/** How many names of one bucket are compared; further ones have no number, so nobody can make this slow. */
const MAX_COMPARED = 8;
/** Bytes that are compared at once: the quotes and the colon of a name of one character. */
const WORD = 4;

/** A name's number within a text, from 1 on. */
export type NameNumber = number;
/** The number of a name that has none: it is compared where it stands. */
export const NO_NUMBER: NameNumber = 0;

/**
 * Numbers the names in a text, so that they are compared once, however often they stand there. It guesses which one
 * comes next: records are alike, so nearly always one of the two that last followed the same name, and comparing a name
 * with the guess takes a third of the time of reading it.
 *
 * A name is told apart as it is spelt, from its first quote to its colon. One with escapes, or with spaces before the colon,
 * has no number.
 */
export class Names {
  private readonly view: DataView;
  /** No byte from here on is read. */
  private readonly limit: number;
  private count = 1;

  /**
   * One at a time: what it keeps of a text, places and no content, is written over by the next.
   *
   * @param limit the byte behind the last that names may take
   */
  constructor(view: DataView, limit: number) {
    this.view = view;
    this.limit = limit;
    NEWEST.fill(NO_NUMBER);
    this.forgetFollowers(NO_NUMBER);
  }

  /** How many bytes a numbered name takes, from its first quote to behind its colon. */
  sizeOf(number: NameNumber): number {
    return SIZES[number]!;
  }

  /**
   * The number of the name that stands at a byte, where it is one that has followed the name before.
   *
   * @returns {@link NO_NUMBER} where it is another one
   */
  guess(before: NameNumber, at: number): NameNumber {
    const likely = LIKELY[before]!;
    if (this.isAt(likely, at)) return likely;
    const other = OTHER[before]!;
    if (!this.isAt(other, at)) return NO_NUMBER;
    this.follow(before, other);
    return other;
  }

  /**
   * Numbers a name without escapes.
   *
   * @param before the number of the name before it in the text
   * @param start its first quote
   * @param size how many bytes it takes, up to behind its colon
   */
  number(before: NameNumber, start: number, size: number): NameNumber {
    if (size < WORD) return NO_NUMBER;
    const bucket = this.bucketOf(start, size);
    let number = NEWEST[bucket]!;
    for (let compared = 0; number !== NO_NUMBER; compared++) {
      if (compared === MAX_COMPARED) return NO_NUMBER;
      if (SIZES[number] === size && this.isAt(number, start)) break;
      number = OLDER[number]!;
    }
    if (number === NO_NUMBER) number = this.add(bucket, start, size);
    if (number !== NO_NUMBER) this.follow(before, number);
    return number;
  }

  private add(bucket: number, start: number, size: number): NameNumber {
    if (this.count === MAX_NAMES) return NO_NUMBER;
    const number = this.count++;
    STARTS[number] = start;
    SIZES[number] = size;
    OLDER[number] = NEWEST[bucket]!;
    NEWEST[bucket] = number;
    this.forgetFollowers(number);
    return number;
  }

  private follow(before: NameNumber, number: NameNumber): void {
    OTHER[before] = LIKELY[before]!;
    LIKELY[before] = number;
  }

  private forgetFollowers(number: NameNumber): void {
    LIKELY[number] = NO_NUMBER;
    OTHER[number] = NO_NUMBER;
  }

  private bucketOf(start: number, size: number): number {
    const { view } = this;
    const last = start + size - WORD;
    let hash = view.getInt32(last) ^ size;
    for (let at = start; at < last; at += WORD) hash = Math.imul(hash ^ view.getInt32(at), 0x9e3779b1);
    return ((hash ^ (hash >>> 15)) >>> 8) & (BUCKETS - 1);
  }

  private isAt(number: NameNumber, at: number): boolean {
    if (number === NO_NUMBER) return false;
    const { view } = this;
    const start = STARTS[number]!;
    const last = SIZES[number]! - WORD;
    if (at + last + WORD > this.limit) return false;
    for (let i = 0; i < last; i += WORD) if (view.getInt32(start + i) !== view.getInt32(at + i)) return false;
    return view.getInt32(start + last) === view.getInt32(at + last);
  }
}

const STARTS = new Int32Array(MAX_NAMES);
const SIZES = new Int32Array(MAX_NAMES);
/** The names that last followed each, the likelier one first. */
const LIKELY = new Int32Array(MAX_NAMES);
const OTHER = new Int32Array(MAX_NAMES);
/** The newest name of each bucket, and of each name the one before it in its bucket. */
const NEWEST = new Int32Array(BUCKETS);
const OLDER = new Int32Array(MAX_NAMES);
