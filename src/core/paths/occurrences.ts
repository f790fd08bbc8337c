import { Trie } from './trie.ts';

const DOT = '.'.charCodeAt(0);

/**
 * Looks for many texts anywhere in another, reading it once, as Aho and Corasick do. Each node is the longest beginning of a
 * sought text in which what was read ends.
 */
export class Occurrences {
  private readonly trie = new Trie();
  /** Of each node, the longest shorter beginning of a text in which it ends. */
  private readonly fallback: Int32Array;
  /** Of each node, the longest sought text in which it ends, itself included; 0 if it ends in none. */
  private readonly found: Int32Array;
  /** Of each node, the longest beginning of a text in which it ends, itself included, that is all of a followed text or goes on with a dot. */
  private readonly ends: Int32Array;
  /** How long each node is, in characters. */
  private readonly lengths: Int32Array;
  /** The node of each sought text. */
  readonly nodes: readonly number[];

  /** @param followed texts of which only the beginnings count in which a text ends */
  constructor(texts: readonly string[], followed: readonly string[] = []) {
    const { trie } = this;
    this.nodes = texts.map((text) => trie.add(text));
    const sought = new Set(this.nodes);
    const whole = new Set(followed.map((text) => trie.add(text)));
    const size = trie.ended.length;
    this.fallback = new Int32Array(size);
    this.found = new Int32Array(size);
    this.ends = new Int32Array(size);
    this.lengths = new Int32Array(size);
    trie.forEachEdge((parent, unit, child) => {
      const shorter = parent === 0 ? 0 : this.step(this.fallback[parent]!, unit);
      this.fallback[child] = shorter;
      this.lengths[child] = this.lengths[parent]! + 1;
      this.found[child] = sought.has(child) ? child : this.found[shorter]!;
      const mayEndName = whole.has(child) || trie.child(child, DOT) !== undefined;
      this.ends[child] = mayEndName ? child : this.ends[shorter]!;
    });
  }

  /** What matters of a node at which a name ends. */
  endOfName(node: number): number {
    return this.ends[node]!;
  }

  /** The node after another one and one more character. */
  step(from: number, unit: number): number {
    for (let node = from; ; node = this.fallback[node]!) {
      const child = this.trie.child(node, unit);
      if (child !== undefined) return child;
      if (node === 0) return 0;
    }
  }

  /** Whether any of the sought texts is in another. */
  areIn(text: string): boolean {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      node = this.step(node, text.charCodeAt(at));
      if (this.found[node]! !== 0) return true;
    }
    return false;
  }

  /** How long the longest end of a text is that begins a sought text. */
  lengthOfTail(text: string): number {
    let node = 0;
    for (let at = 0; at < text.length; at++) node = this.step(node, text.charCodeAt(at));
    return this.lengths[node]!;
  }

  /** The sought texts in which what was read ends, by their nodes, from the longest. */
  *endingAt(node: number): Generator<number> {
    for (let at = this.found[node]!; at !== 0; at = this.found[this.fallback[at]!]!) yield at;
  }
}
