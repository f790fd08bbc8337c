/** Room for each character of a node's children in one map: the code units of UTF-16. */
const UNITS = 2 ** 16;

/** Texts that begin alike, character by character (UTF-16 code units). Node 0 is the beginning of all. */
export class Trie {
  /** Of each node, the longest text that ends there or before it; 0 if none does. */
  readonly ended: number[] = [0];
  private readonly children = new Map<number, number>();

  /** @returns the node at which the text ends */
  add(text: string): number {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const key = node * UNITS + text.charCodeAt(at);
      let child = this.children.get(key);
      if (child === undefined) {
        child = this.ended.length;
        this.children.set(key, child);
        this.ended.push(0);
      }
      node = child;
    }
    this.ended[node] = node;
    return node;
  }

  /** Fills in what ends before each node, once all texts are added. */
  close(): void {
    for (const [key, child] of this.children) this.ended[child] ||= this.ended[Math.floor(key / UNITS)] ?? 0;
  }

  /** @returns undefined if no text goes on so */
  child(node: number, unit: number): number | undefined {
    return this.children.get(node * UNITS + unit);
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

  /** Every node with the one before it, from the shortest beginning to the longest. */
  edges(): readonly { readonly parent: number; readonly unit: number; readonly child: number }[] {
    const edges = Array.from(this.children, ([key, child]) => ({
      parent: Math.floor(key / UNITS),
      unit: key % UNITS,
      child,
    }));
    return byDepth(edges, this.ended.length);
  }
}

function byDepth<T extends { readonly parent: number; readonly child: number }>(
  edges: readonly T[],
  nodes: number,
): readonly T[] {
  const depths = new Int32Array(nodes);
  // A parent is always added before its children.
  for (const { parent, child } of edges) depths[child] = depths[parent]! + 1;
  return edges.toSorted((a, b) => depths[a.child]! - depths[b.child]!);
}
