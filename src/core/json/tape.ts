/** Words written one after another, of which there may be more than expected. */
export class Tape {
  words: Int32Array;

  /**
   * @param bytes the length of the text: a word for every six bytes is what most texts take
   */
  constructor(bytes: number) {
    this.words = unset(Math.ceil(bytes / 6) + 16);
  }

  /**
   * Makes room for what is left of the text, if it goes on as it began; what is written stays.
   *
   * @param share how much of the text is scanned, from 0 to 1
   */
  grow(share: number): Int32Array {
    const { length } = this.words;
    const expected = share > 0 ? (length / share) * SPARE : Infinity;
    const larger = unset(
      Math.ceil(Math.max(length * LEAST_GROWTH, Math.min(length * MOST_GROWTH, expected))),
    );
    larger.set(this.words);
    this.words = larger;
    return larger;
  }
}

const SPARE = 1.1;
const LEAST_GROWTH = 1.25;
const MOST_GROWTH = 8;

/** Words that hold whatever stood there before: nothing is read that was not written, and zeros take half of the time. */
function unset(words: number): Int32Array {
  return new Int32Array(Buffer.allocUnsafeSlow(words * Int32Array.BYTES_PER_ELEMENT).buffer);
}
