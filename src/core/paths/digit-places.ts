import { hasNonZeroDigit } from './ranks.ts';
import { Trie } from './trie.ts';

/** If there are more ends of bounds, in characters, digits have no place. */
const MAX_ENDS = 2 ** 14;
/** Digits end at a node, or only zeros follow it, or they have a place between two nodes. */
const KINDS = 3;
const ZEROS = 1;
const BETWEEN = 2;
const ZERO = 0x30;
const BASE = 10;

/**
 * The place of digits among those of some bounds.
 *
 * Numbers of equal length differ by the first digit in which they do. So what matters besides the length is between which bounds digits
 * come, unless one of these begins with them, or nothing but zeros comes after what they have in common. A fraction goes on where the
 * whole part ends: it is compared with all ends of the bounds.
 */
export class DigitPlaces {
  /** Numbers its nodes in order. */
  private readonly ends: Trie | undefined;
  /** By node and digit, one more than the last node that comes before digits that part there; 0 is not known yet. */
  private readonly lastBefore: Int32Array = NONE;

  /** @param bounds digits without zeros at either end */
  constructor(bounds: readonly string[]) {
    const ends = new Set<string>();
    let length = 0;
    for (const bound of new Set(bounds)) {
      length += bound.length * bound.length;
      if (length > MAX_ENDS) return;
      for (let at = 0; at < bound.length; at++) ends.add(bound.slice(at));
    }
    const trie = new Trie();
    for (const end of [...ends].toSorted()) trie.add(end);
    this.ends = trie;
    this.lastBefore = new Int32Array(trie.ended.length * BASE);
  }

  /** @returns the same for digits that compare alike with all ends of the bounds, whatever follows; undefined if that is not known */
  of(bytes: Buffer, from: number, to: number): number | undefined {
    const { ends } = this;
    if (ends === undefined) return undefined;
    let node = 0;
    for (let at = from; at < to; at++) {
      const child = ends.child(node, bytes[at]!);
      if (child === undefined) {
        if (!hasNonZeroDigit(bytes, at, to)) return node * KINDS + ZEROS;
        return this.nodeBefore(ends, node, bytes[at]! - ZERO) * KINDS + BETWEEN;
      }
      node = child;
    }
    return node * KINDS;
  }

  /** Whether all digits that go on from these, by one more, compare with the ends of the bounds alike. */
  areAlikeFrom(bytes: Buffer, from: number, to: number): boolean {
    const like = this.of(bytes, from, to);
    return like !== undefined && like % KINDS === BETWEEN;
  }

  private nodeBefore(ends: Trie, node: number, digit: number): number {
    const { lastBefore } = this;
    const key = node * BASE + digit;
    return (lastBefore[key] ||= 1 + lastAmong(ends, node, digit)) - 1;
  }
}

const NONE = new Int32Array(0);

/** The last node behind a node, of those that are reached from it by a digit below another one; or itself. */
function lastAmong(ends: Trie, node: number, below: number): number {
  let last = node;
  for (let digit = below - 1; digit >= 0;) {
    const child = ends.child(last, ZERO + digit);
    digit = child === undefined ? digit - 1 : BASE - 1;
    last = child ?? last;
  }
  return last;
}
