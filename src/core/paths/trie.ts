/** Room for each character of a node's children in one map: the code units of UTF-16. */
const UNITS = 2 ** 16;

/**
 * Texts that begin alike, character by character (UTF-16 code units). Node 0 is the beginning of all. Of long texts, nearly every node
 * has one child, so that only what comes after the first one is in a map, which takes many times as much.
 */
export class Trie {
  /** Of each node, the longest text that ends there or before it; 0 if none does. */
  readonly ended: number[] = [0];
  /** Of each node, the character that it ends with. */
  private readonly units: number[] = [0];
  /** Of each node, its first child; 0 if it has none. */
  private readonly firsts: number[] = [0];
  /** The other children, by their parents and characters. */
  private readonly others = new Map<number, number>();

  /** @returns the node at which the text ends */
  add(text: string): number {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      node = this.child(node, unit) ?? this.addChild(node, unit);
    }
    this.ended[node] = node;
    return node;
  }

  private addChild(node: number, unit: number): number {
    const child = this.ended.length;
    if (this.firsts[node] === 0) this.firsts[node] = child;
    else this.others.set(node * UNITS + unit, child);
    this.ended.push(0);
    this.units.push(unit);
    this.firsts.push(0);
    return child;
  }

  /** Fills in what ends before each node, once all texts are added. */
  close(): void {
    const parents = this.parents();
    for (let node = 1; node < parents.length; node++) this.ended[node] ||= this.ended[parents[node]!]!;
  }

  /** @returns undefined if no text goes on so */
  child(node: number, unit: number): number | undefined {
    const first = this.firsts[node]!;
    return first !== 0 && this.units[first] === unit ? first : this.others.get(node * UNITS + unit);
  }

  /**
   * Whether any of the texts begins a sequence of characters.
   *
   * @param unitAt the character at a place below `length`
   */
  beginsAny(length: number, unitAt: (at: number) => number): boolean {
    let node: number | undefined = 0;
    for (let at = 0; at < length && node !== undefined; at++) {
      node = this.child(node, unitAt(at));
      if (node !== undefined && this.ended[node] === node) return true;
    }
    return false;
  }

  /** Calls back for every node with the one before it, from the shortest beginning to the longest. */
  forEachEdge(callback: (parent: number, unit: number, child: number) => void): void {
    const parents = this.parents();
    for (const child of byDepth(parents)) callback(parents[child]!, this.units[child]!, child);
  }

  /** Of each node, the one before it, which is always added before it. */
  private parents(): Int32Array {
    const parents = new Int32Array(this.ended.length);
    for (const [node, child] of this.firsts.entries()) if (child !== 0) parents[child] = node;
    for (const [key, child] of this.others) parents[child] = Math.floor(key / UNITS);
    return parents;
  }
}

/** All nodes but the first, from the shortest beginning to the longest. */
function byDepth(parents: Int32Array): Int32Array {
  const depths = new Int32Array(parents.length);
  /** Of each depth, how many nodes are less deep; so far, how many are as deep as the one before. */
  const places = new Int32Array(parents.length + 1);
  for (let node = 1; node < parents.length; node++) {
    const depth = depths[parents[node]!]! + 1;
    depths[node] = depth;
    places[depth + 1]!++;
  }
  for (let depth = 1; depth < places.length; depth++) places[depth]! += places[depth - 1]!;
  const sorted = new Int32Array(parents.length - 1);
  for (let node = 1; node < parents.length; node++) sorted[places[depths[node]!]!++] = node;
  return sorted;
}
