import { Trie } from './trie.ts';

/** Digits that are as long or longer are in no class, in characters. */
const MAX_LENGTH = 64;
/** If there are more ends of bounds, in characters, no digits are in a class. */
const MAX_ENDS = 2 ** 14;
/** How many classes are known at a time. */
const MAX_CLASSES = 4096;
/** A node with how digits leave it: by one of ten, which may be all zeros from there on, or not at all. */
const WAYS = 21;
const DIGITS = /^-?\d+$/u;
const LEADING_ZEROS = /^0+(?=\d)/u;
const NONZERO = /[1-9]/u;
const ZERO = 0x30;

/**
 * Sorts integers into classes: those of one class compare alike with some bounds, as a number or the whole part of one, and as a
 * fraction of a number or a second.
 *
 * Numbers of equal length differ by the first digit in which they do. So what matters besides the length is where digits part from
 * those of each bound, and whether anything but zeros follows. A fraction goes on where the whole part ends: it is compared with all
 * ends of the bounds.
 */
export class DigitClasses {
  private readonly ends: Trie | undefined;
  private readonly known = new Map<number, number>();
  private count = 0;

  /** @param bounds digits without zeros at the end; those of a number also without any at the beginning */
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

  /** @returns 1 or more for an integer: the same for those of one class; 0 for anything else, undefined if it is in no class */
  of(text: string): number | undefined {
    if (!DIGITS.test(text)) return 0;
    if (text.length >= MAX_LENGTH || this.ends === undefined) return undefined;
    const isNegative = text.startsWith('-');
    const digits = isNegative ? text.slice(1) : text;
    const significant = digits.replace(LEADING_ZEROS, '');
    const places = this.placeOf(digits, this.ends) * MAX_ENDS * WAYS + this.placeOf(significant, this.ends);
    const length = digits.length * MAX_LENGTH + digits.length - significant.length;
    return this.numbered((places * MAX_LENGTH ** 2 + length) * 2 + Number(isNegative));
  }

  /** Where digits part from the ends of all bounds. */
  private placeOf(digits: string, ends: Trie): number {
    let node = 0;
    for (let at = 0; at < digits.length; at++) {
      const unit = digits.charCodeAt(at);
      const child = ends.child(node, unit);
      if (child === undefined)
        return node * WAYS + (unit - ZERO) * 2 + Number(NONZERO.test(digits.slice(at)));
      node = child;
    }
    return node * WAYS + WAYS - 1;
  }

  private numbered(key: number): number {
    const before = this.known.get(key);
    if (before !== undefined) return before;
    if (this.known.size >= MAX_CLASSES) this.known.clear();
    this.known.set(key, ++this.count);
    return this.count;
  }
}
