import { unsetWords } from './words.ts';

/** How much more room is made than the text takes if it goes on as it began. */
const MARGIN = 1.05;

/** Words written one after another, of which there may be more than expected. */
export class Tape {
  words: Int32Array;
  /** The length of the text, in bytes. */
  private readonly size: number;

  /**
   * @param bytes the length of the text: a word for every six bytes is what most texts take
   */
  constructor(bytes: number) {
    this.size = bytes;
    this.words = unset(Math.ceil(bytes / 6) + 16);
  }

  /**
   * Makes more room: for the whole text if it goes on as it began, and at least half as much again. What is written stays.
   *
   * @param read how much of the text was read, in bytes
   */
  grow(read: number): Int32Array {
    const { words, size } = this;
    const larger = unset(Math.ceil(Math.max(words.length * 1.5, ((words.length * size) / read) * MARGIN)));
    larger.set(words);
    this.words = larger;
    return larger;
  }

  /** All words, when so many are written: what comes after them says nothing. */
  finish(count: number): Int32Array {
    const { words } = this;
    const { buffer, byteOffset } = words;
    if (buffer === slab.buffer && sharedWords * BYTES === byteOffset + words.byteLength)
      sharedWords = byteOffset / BYTES + count;
    return words;
  }
}

const BYTES = Int32Array.BYTES_PER_ELEMENT;
/** Short tapes are parts of one array, of so many words: an array costs more than what is written to it. */
const SLAB = Buffer.poolSize / BYTES;
let slab = new Int32Array(0);
let sharedWords = 0;

function unset(words: number): Int32Array {
  if (words > SLAB / 4) return unsetWords(words);
  if (sharedWords + words > slab.length) {
    slab = new Int32Array(Buffer.allocUnsafeSlow(SLAB * BYTES).buffer);
    sharedWords = 0;
  }
  const from = sharedWords;
  sharedWords += words;
  return new Int32Array(slab.buffer, from * BYTES, words);
}
