import { hasNonZeroDigit } from './ranks.ts';
import { Trie } from './trie.ts';

/** If there are more ends of bounds, in characters, digits have no place. */
const MAX_ENDS = 2 ** 14;
/** A node with how digits leave it: by one of ten, which may be all zeros from there on, or not at all. */
const WAYS = 21;
const ZERO = 0x30;

/**
 * Where digits part from those of some bounds.
 *
 * Numbers of equal length differ by the first digit in which they do. So what matters besides the length is where digits part from
 * those of each bound, and whether anything but zeros follows. A fraction goes on where the whole part ends: it is compared with all
 * ends of the bounds.
 */
export class DigitPlaces {
  private readonly ends: Trie | undefined;

  /** @param bounds digits without zeros at either end */
  constructor(bounds: readonly string[]) {
    const ends = new Trie();
    let length = 0;
    for (const bound of new Set(bounds)) {
      length += bound.length * bound.length;
      if (length > MAX_ENDS) return;
      for (let at = 0; at < bound.length; at++) ends.add(bound.slice(at));
    }
    this.ends = ends;
  }

  /** @returns the same for digits that part alike from all ends of the bounds; undefined if that is not known */
  of(bytes: Buffer, from: number, to: number): number | undefined {
    const { ends } = this;
    if (ends === undefined) return undefined;
    let node = 0;
    for (let at = from; at < to; at++) {
      const child = ends.child(node, bytes[at]!);
      if (child === undefined)
        return node * WAYS + (bytes[at]! - ZERO) * 2 + Number(hasNonZeroDigit(bytes, at, to));
      node = child;
    }
    return node * WAYS + WAYS - 1;
  }

  /** Whether all digits that go on from these, by one more, part from the ends of the bounds alike. */
  arePartedBy(bytes: Buffer, from: number, to: number): boolean {
    const like = this.of(bytes, from, to);
    return like !== undefined && like % WAYS < WAYS - 1 && (like % WAYS) % 2 === 1;
  }
}
