/** The most names that are interned at a time; further ones get {@link NO_KEY_ID}. */
export const MAX_NAMES = 512;
const BUCKETS = 1024;
/** The most names of one bucket that are compared. Further ones are not interned, so that collisions cannot make this slow. */
const MAX_COMPARED = 8;
/** Bytes that are compared at once: the shortest name, of one character, has two quotes and a colon. */
const WORD = 4;
const LONG_WORD = 8;
/** The longest name that is interned, and what all of them may take up, in bytes with quotes and colons. */
const MAX_SIZE = 128;
const ROOM = MAX_NAMES * 64;
/** Unless there are fewer names, a text that is longer, in bytes, begins anew: it takes longer if it finds no room. */
const LONG_TEXT = 2 ** 16;
const ROOM_FOR_LONG_TEXT = MAX_NAMES / 2;
/** After so many names in a row that found no room, only one of so many is looked for: the text repeats few names. */
const MANY_MISSES = 256;
const LOOK_EVERY = 16;

/** Identifies a property name: 1 or more. */
export type KeyId = number;
/** The id of a name that is not interned: readers compare its bytes. */
export const NO_KEY_ID: KeyId = 0;

/**
 * Gives equal property names the same id, so that readers compare ids instead of bytes, and predicts the next name: records
 * repeat their names in the same order, so it is almost always one of the two that last followed the same name. Checking a
 * prediction takes a third of the time of reading a name.
 *
 * The names of one text are known in the next: most texts have those of others. When there is no more room, the next text
 * begins anew, with another {@link KeyInterner.generation}, so that no text makes others slow for longer.
 *
 * Names are equal if their bytes from the first quote to the colon are equal. A name with escapes, or with space before its
 * colon, is not interned.
 */
export class KeyInterner {
  /** Another one if ids began anew: those of two generations have nothing to do with each other. */
  readonly generation: number;
  readonly view: DataView;
  /** No byte from here on is read. */
  private readonly limit: number;

  /**
   * The tables are shared: a new interner invalidates the one before it. They hold names, no values.
   *
   * @param limit the byte after the last one that a name may occupy
   */
  constructor(view: DataView, limit: number) {
    this.view = view;
    this.limit = limit;
    if (isFull || (limit > LONG_TEXT && count > ROOM_FOR_LONG_TEXT)) forget();
    this.generation = generation;
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
    link(before, other);
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
    if (size < WORD || size > MAX_SIZE) return NO_KEY_ID;
    if (misses >= MANY_MISSES && ++misses % LOOK_EVERY !== 0) return NO_KEY_ID;
    const bucket = this.bucketOf(start, size);
    let id = NEWEST[bucket]!;
    for (let compared = 0; id !== NO_KEY_ID; compared++) {
      if (compared === MAX_COMPARED) return missed();
      if (SIZES[id] === size && this.isAt(id, start)) break;
      id = OLDER[id]!;
    }
    if (id === NO_KEY_ID) id = this.add(bucket, start, size);
    if (id === NO_KEY_ID) return missed();
    misses = 0;
    link(before, id);
    return id;
  }

  private add(bucket: number, start: number, size: number): KeyId {
    if (count === MAX_NAMES || used + size > ROOM) return NO_KEY_ID;
    const id = count++;
    const { view } = this;
    for (let i = 0; i < size; i++) NAMES.setUint8(used + i, view.getUint8(start + i));
    STARTS[id] = used;
    used += size;
    SIZES[id] = size;
    OLDER[id] = NEWEST[bucket]!;
    NEWEST[bucket] = id;
    unlink(id);
    return id;
  }

  private bucketOf(start: number, size: number): number {
    const { view } = this;
    const last = start + size - WORD;
    let hash = view.getInt32(last, true) ^ size;
    for (let at = start; at < last; at += WORD) hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
    return ((hash ^ (hash >>> 15)) >>> 8) & (BUCKETS - 1);
  }

  /**
   * Whether a name is at a byte. Eight bytes are compared as one number: names are UTF-8 without control characters, so their bytes
   * are never those of zero or NaN, and a number equals one of these only if all its bytes are the same.
   */
  private isAt(id: KeyId, at: number): boolean {
    const { view } = this;
    const size = SIZES[id]!;
    const end = at + size;
    if (end > this.limit) return false;
    const start = STARTS[id]!;
    const stop = start + size;
    if (size <= LONG_WORD)
      return (
        NAMES.getInt32(start, true) === view.getInt32(at, true) &&
        NAMES.getInt32(stop - WORD, true) === view.getInt32(end - WORD, true)
      );
    const last = stop - LONG_WORD;
    for (let i = start, j = at; i < last; i += LONG_WORD, j += LONG_WORD)
      if (NAMES.getFloat64(i, true) !== view.getFloat64(j, true)) return false;
    return NAMES.getFloat64(last, true) === view.getFloat64(end - LONG_WORD, true);
  }
}

const NAMES = new DataView(new ArrayBuffer(ROOM));
const STARTS = new Int32Array(MAX_NAMES);
const SIZES = new Int32Array(MAX_NAMES);
// It is nowhere in any text.
SIZES[NO_KEY_ID] = 2 ** 30;
/** By id: the two names that last followed it, the likelier one first. */
const LIKELY = new Int32Array(MAX_NAMES);
const OTHER = new Int32Array(MAX_NAMES);
/** By bucket: its newest name. By id: the next older name of its bucket. */
const NEWEST = new Int32Array(BUCKETS);
const OLDER = new Int32Array(MAX_NAMES);

let count = 1;
let used = 0;
/** Whether a name found no room. */
let isFull = false;
/** How many names in a row found none. */
let misses = 0;
let generation = 0;

function missed(): KeyId {
  isFull = true;
  misses++;
  return NO_KEY_ID;
}

function forget(): void {
  count = 1;
  used = 0;
  isFull = false;
  misses = 0;
  generation++;
  NEWEST.fill(NO_KEY_ID);
  unlink(NO_KEY_ID);
}

function link(before: KeyId, id: KeyId): void {
  OTHER[before] = LIKELY[before]!;
  LIKELY[before] = id;
}

function unlink(id: KeyId): void {
  LIKELY[id] = NO_KEY_ID;
  OTHER[id] = NO_KEY_ID;
}
