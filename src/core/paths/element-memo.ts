import type { Segment } from './path.ts';

/** More than an array has elements. */
const LENGTHS = 2 ** 27;

/**
 * Remembers what some segments make of elements by their index, and by the length of the array if any segment counts from its end:
 * most arrays are short, and the same segments meet many of them.
 */
export class ElementMemo<T> {
  private readonly countsFromEnd: boolean;
  private readonly most: number;
  private readonly known = new Map<number, T>();

  /** @param most how many elements are remembered, so that no payload fills the memory; past that all are forgotten */
  constructor(segments: readonly Segment[], most: number) {
    this.most = most;
    this.countsFromEnd = segments.some(countsFromEnd);
  }

  get(index: number, length: () => number): T | undefined {
    return this.known.get(this.keyOf(index, length));
  }

  /** @returns the value */
  set(index: number, length: () => number, value: T): T {
    if (this.known.size >= this.most) this.known.clear();
    this.known.set(this.keyOf(index, length), value);
    return value;
  }

  private keyOf(index: number, length: () => number): number {
    return this.countsFromEnd ? index * LENGTHS + length() : index;
  }
}

function countsFromEnd(segment: Segment): boolean {
  switch (segment.kind) {
    case 'index':
      return segment.index < 0;
    case 'slice':
      return segment.from < 0 || segment.to < 0;
    case 'union':
      return segment.of.some(countsFromEnd);
    case 'name':
    case 'each':
    case 'wildcard':
    case 'any':
    case 'descend':
    case 'record':
      return false;
  }
}
