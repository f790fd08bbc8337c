/** Words written one after another, of which there may be more than expected. */
export class Tape {
  words: Int32Array;

  /**
   * @param bytes the length of the text: a word for every six bytes is what most texts take
   */
  constructor(bytes: number) {
    this.words = unset(Math.ceil(bytes / 6) + 16);
  }

  /** Doubles the room; what is written stays. */
  grow(): Int32Array {
    const larger = unset(this.words.length * 2);
    larger.set(this.words);
    this.words = larger;
    return larger;
  }
}

/** Words that hold whatever stood there before: nothing is read that was not written, and zeros take half of the time. */
function unset(words: number): Int32Array {
  return new Int32Array(Buffer.allocUnsafeSlow(words * Int32Array.BYTES_PER_ELEMENT).buffer);
}
