import type { Segments } from './request-path.ts';

interface Entry<T> {
  readonly value: T;
  /** How many were added before. */
  readonly place: number;
}

/** What begins with the same segments. */
interface Node<T> {
  readonly entries: Entry<T>[];
  readonly next: Map<string, Node<T>>;
}

/** Finds the first of many things that takes a path, and looks only at those that begin with segments of the path. */
export class PrefixIndex<T> {
  readonly #root: Node<T> = node();

  /**
   * @param values in their order
   * @param prefixOf the segments that a path begins with if the value takes it
   */
  constructor(values: readonly T[], prefixOf: (value: T) => Segments) {
    values.forEach((value, place) => this.#nodeOf(prefixOf(value)).entries.push({ value, place }));
  }

  /** The first value that takes a path. */
  find(path: Segments, takes: (value: T) => boolean): T | undefined {
    let first: Entry<T> | undefined;
    for (const { entries } of this.#nodesAlong(path)) {
      for (const entry of entries) {
        if (first !== undefined && first.place < entry.place) break;
        if (!takes(entry.value)) continue;
        first = entry;
        break;
      }
    }
    return first?.value;
  }

  *#nodesAlong(path: Segments): Generator<Node<T>, void> {
    let at: Node<T> | undefined = this.#root;
    yield at;
    for (const segment of path) {
      at = at.next.get(segment);
      if (at === undefined) return;
      yield at;
    }
  }

  #nodeOf(prefix: Segments): Node<T> {
    let at = this.#root;
    for (const segment of prefix) {
      const next: Node<T> = at.next.get(segment) ?? node();
      at.next.set(segment, next);
      at = next;
    }
    return at;
  }
}

function node<T>(): Node<T> {
  return { entries: [], next: new Map() };
}
