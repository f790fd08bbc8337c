/** A character of a part, as its code point; undefined is any one. */
type Expected = number | undefined;

const WORD_BITS = 32;

/** Finds one part of a pattern, the characters between two `*`, in a name given as code points. */
export class PartMatcher {
  /** In characters. */
  readonly length: number;
  private readonly expected: readonly Expected[];
  private readonly isLiteral: boolean;
  private borders: Int32Array | undefined;
  private masks: ReadonlyMap<number, Int32Array> | undefined;

  constructor(expected: readonly Expected[]) {
    this.expected = expected;
    this.length = expected.length;
    this.isLiteral = !expected.includes(undefined);
  }

  /**
   * Whether the part is at a place of a name.
   *
   * @param length of the name
   */
  isAt(name: Uint32Array, start: number, length: number): boolean {
    if (start < 0 || start + this.length > length) return false;
    for (let i = 0; i < this.length; i++) {
      const code = this.expected[i];
      if (code !== undefined && code !== name[start + i]) return false;
    }
    return true;
  }

  /**
   * Where the first place of the part ends.
   *
   * @param start where to look from
   * @param stop no character from here on belongs to it
   * @returns -1 if it is not there
   */
  endFrom(name: Uint32Array, start: number, stop: number): number {
    if (start + this.length > stop) return -1;
    if (this.length === 0) return start;
    return this.isLiteral ? this.findLiteral(name, start, stop) : this.findMasked(name, start, stop);
  }

  /** As Knuth, Morris and Pratt do: never goes back in the name. */
  private findLiteral(name: Uint32Array, start: number, stop: number): number {
    const { expected, length } = this;
    this.borders ??= bordersOf(expected);
    const { borders } = this;
    let matched = 0;
    for (let at = start; at < stop; at++) {
      const code = name[at]!;
      while (matched > 0 && expected[matched] !== code) matched = borders[matched - 1]!;
      if (expected[matched] === code) matched++;
      if (matched === length) return at + 1;
    }
    return -1;
  }

  /**
   * Follows all places at once, one bit for each: of a part with `?` no place determines where the next may be. A path is bounded,
   * so the words are too.
   */
  private findMasked(name: Uint32Array, start: number, stop: number): number {
    const words = Math.ceil(this.length / WORD_BITS);
    this.masks ??= masksOf(this.expected, words);
    const { masks } = this;
    const others = masks.get(ANY) ?? new Int32Array(words);
    const state = new Int32Array(words);
    const last = this.length - 1;
    for (let at = start; at < stop; at++) {
      const mask = masks.get(name[at]!) ?? others;
      let carry = 1;
      for (let word = 0; word < words; word++) {
        const before = state[word]!;
        state[word] = ((before << 1) | carry) & mask[word]!;
        carry = before >>> (WORD_BITS - 1);
      }
      if ((state[last >> 5]! & (1 << (last & 31))) !== 0) return at + 1;
    }
    return -1;
  }
}

/** All code points that a part does not name. */
const ANY = -1;

/** For each length of the part's beginning, the longest shorter beginning that it ends in. */
function bordersOf(expected: readonly Expected[]): Int32Array {
  const borders = new Int32Array(expected.length);
  let matched = 0;
  for (let at = 1; at < expected.length; at++) {
    while (matched > 0 && expected[matched] !== expected[at]) matched = borders[matched - 1]!;
    if (expected[matched] === expected[at]) matched++;
    borders[at] = matched;
  }
  return borders;
}

/** For each code point the places of the part where it may be. */
function masksOf(expected: readonly Expected[], words: number): ReadonlyMap<number, Int32Array> {
  const any = new Int32Array(words);
  for (const [at, code] of expected.entries()) if (code === undefined) any[at >> 5]! |= 1 << (at & 31);
  const masks = new Map([[ANY, any]]);
  for (const [at, code] of expected.entries()) {
    if (code === undefined) continue;
    const mask = masks.get(code) ?? any.slice();
    mask[at >> 5]! |= 1 << (at & 31);
    masks.set(code, mask);
  }
  return masks;
}
