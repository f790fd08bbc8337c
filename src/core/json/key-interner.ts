/** The most names that are interned in one text; further ones get {@link NO_KEY_ID}. */
export const MAX_NAMES = 512;
const BUCKETS = 1024;
/** The most names of one bucket that are compared. Further ones are not interned, so that collisions cannot make this slow. */
const MAX_COMPARED = 8;
/** Bytes that are compared at once: the shortest name, of one character, has two quotes and a colon. */
const WORD = 4;

/** Identifies a property name within one text: 1 or more. */
export type KeyId = number;
/** The id of a name that is not interned: readers compare its bytes. */
export const NO_KEY_ID: KeyId = 0;

/**
 * Gives equal property names of one text the same id, so that readers compare ids instead of bytes. It predicts the next
 * name: records repeat their names in the same order, so it is almost always one of the two that last followed the same
 * name. Checking a prediction takes a third of the time of reading a name.
 *
 * Names are equal if their bytes from the first quote to the colon are equal. A name with escapes, or with space before its
 * colon, is not interned.
 */
export class KeyInterner {
  private readonly view: DataView;
  /** No byte from here on is read. */
  private readonly limit: number;
  private count = 1;

  /**
   * The tables are shared: a new interner invalidates the one before it. They hold positions in the text, no content.
   *
   * @param limit the byte after the last one that a name may occupy
   */
  constructor(view: DataView, limit: number) {
    this.view = view;
    this.limit = limit;
    NEWEST.fill(NO_KEY_ID);
    this.unlink(NO_KEY_ID);
  }

  /** The size of an interned name in bytes, from its first quote through its colon. */
  sizeOf(id: KeyId): number {
    return SIZES[id]!;
  }

  /**
   * The id of the name at a byte, if it is one of the two that last followed the name before it.
   *
   * @returns {@link NO_KEY_ID} if it is any other name
   */
  predict(before: KeyId, at: number): KeyId {
    const likely = LIKELY[before]!;
    if (this.isAt(likely, at)) return likely;
    const other = OTHER[before]!;
    if (!this.isAt(other, at)) return NO_KEY_ID;
    this.link(before, other);
    return other;
  }

  /**
   * Interns a name without escapes.
   *
   * @param before the id of the name before it in the text
   * @param start its first quote
   * @param size its size in bytes, from its first quote through its colon
   */
  intern(before: KeyId, start: number, size: number): KeyId {
    if (size < WORD) return NO_KEY_ID;
    const bucket = this.bucketOf(start, size);
    let id = NEWEST[bucket]!;
    for (let compared = 0; id !== NO_KEY_ID; compared++) {
      if (compared === MAX_COMPARED) return NO_KEY_ID;
      if (SIZES[id] === size && this.isAt(id, start)) break;
      id = OLDER[id]!;
    }
    if (id === NO_KEY_ID) id = this.add(bucket, start, size);
    if (id !== NO_KEY_ID) this.link(before, id);
    return id;
  }

  private add(bucket: number, start: number, size: number): KeyId {
    if (this.count === MAX_NAMES) return NO_KEY_ID;
    const id = this.count++;
    STARTS[id] = start;
    SIZES[id] = size;
    OLDER[id] = NEWEST[bucket]!;
    NEWEST[bucket] = id;
    this.unlink(id);
    return id;
  }

  private link(before: KeyId, id: KeyId): void {
    OTHER[before] = LIKELY[before]!;
    LIKELY[before] = id;
  }

  private unlink(id: KeyId): void {
    LIKELY[id] = NO_KEY_ID;
    OTHER[id] = NO_KEY_ID;
  }

  private bucketOf(start: number, size: number): number {
    const { view } = this;
    const last = start + size - WORD;
    let hash = view.getInt32(last) ^ size;
    for (let at = start; at < last; at += WORD) hash = Math.imul(hash ^ view.getInt32(at), 0x9e3779b1);
    return ((hash ^ (hash >>> 15)) >>> 8) & (BUCKETS - 1);
  }

  private isAt(id: KeyId, at: number): boolean {
    if (id === NO_KEY_ID) return false;
    const { view } = this;
    const start = STARTS[id]!;
    const last = SIZES[id]! - WORD;
    if (at + last + WORD > this.limit) return false;
    for (let i = 0; i < last; i += WORD) if (view.getInt32(start + i) !== view.getInt32(at + i)) return false;
    return view.getInt32(start + last) === view.getInt32(at + last);
  }
}

const STARTS = new Int32Array(MAX_NAMES);
const SIZES = new Int32Array(MAX_NAMES);
/** By id: the two names that last followed it, the likelier one first. */
const LIKELY = new Int32Array(MAX_NAMES);
const OTHER = new Int32Array(MAX_NAMES);
/** By bucket: its newest name. By id: the next older name of its bucket. */
const NEWEST = new Int32Array(BUCKETS);
const OLDER = new Int32Array(MAX_NAMES);
