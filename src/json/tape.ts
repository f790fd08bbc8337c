/** Words written one after another, of which there may be more than expected. */
export class Tape {
  words: Int32Array;

  /**
   * @param bytes the length of the text: a word for every six bytes is what most texts take
   */
  constructor(bytes: number) {
    this.words = new Int32Array(Math.ceil(bytes / 6) + 16);
  }

  /** Doubles the room; what is written stays. */
  grow(): Int32Array {
    const larger = new Int32Array(this.words.length * 2);
    larger.set(this.words);
    this.words = larger;
    return larger;
  }
}
