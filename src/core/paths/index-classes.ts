import { partsOf, type Segment } from './path.ts';
import { PieceCutter, type Piece, type Progression } from './progressions.ts';
import { SelectionSets } from './selection-sets.ts';

/** How many elements are sorted into classes at once: at first, and at most. */
const FIRST_BLOCK = 64;
const MOST_IN_BLOCK = 2048;
/** How many classes are known by the length of an array, if segments count from the end. */
const MAX_KNOWN = 4 * MOST_IN_BLOCK;
/** What a piece takes, in bytes, about. */
const BYTES_PER_PIECE = 64;

const NO_CLASSES = new Int32Array(0);

type Slice = Segment & { readonly kind: 'slice' };

/** The elements that segments select. A segment that is in two of the lists selects the elements that are in both. */
interface Selections {
  /** By the index alone. */
  readonly byIndex: Progression[];
  /** By how many elements there are from one to the end of its array, itself among them. */
  readonly fromEnd: Progression[];
  /** By the index and the length of the array. */
  readonly byLength: Slice[];
}

/** Indexes at equal distances, without the last. */
type Indexes = Omit<Piece, 'number'>;

/**
 * Sorts the elements of arrays by the segments that select them. An element costs the segments that do, however many others there are:
 * the indexes that a segment selects are counted up and not looked for, and once for all segments of the same step.
 */
export class IndexClasses {
  private readonly sets: SelectionSets;
  private readonly byIndex: readonly Piece[];
  private readonly fromEnd: readonly Piece[];
  private readonly byLength: readonly Slice[];
  /** How many numbers pieces have. */
  private readonly pieces: number;
  /** The classes of the first elements, if they depend on their indexes alone. */
  private first = NO_CLASSES;
  /** Otherwise, those of all elements of short arrays, by the length. */
  private readonly known = new Map<number, Int32Array>();
  /** How many classes those are. */
  private knownCount = 0;
  /** Room for the class of one element. */
  private readonly single = new Int32Array(1);

  constructor(segments: readonly Segment[]) {
    const { byIndex, fromEnd, byLength } = selectionsOf(segments);
    const cutter = new PieceCutter();
    this.byIndex = cutter.cut(byIndex);
    this.fromEnd = cutter.cut(fromEnd);
    this.byLength = byLength;
    this.pieces = cutter.count;
    this.sets = new SelectionSets(this.pieces + byLength.length);
  }

  /** How much it takes, in bytes, about: it grows as arrays are sorted. */
  get weight(): number {
    const { byIndex, fromEnd, first, knownCount, sets } = this;
    const pieces = (byIndex.length + fromEnd.length) * BYTES_PER_PIECE;
    return pieces + first.byteLength + knownCount * Int32Array.BYTES_PER_ELEMENT + sets.weight;
  }

  /** @param length of the array */
  inArray(length: () => number): ArrayClasses {
    return new ArrayClasses(this, length);
  }

  /** The class of one element of an array, without those of others. */
  classOf(index: number, length: () => number): number {
    const first = this.firstWith(index, length);
    if (index < first.length) return first[index]!;
    this.sort(this.single, index, length);
    return this.single[0]!;
  }

  /** The classes of the first elements of an array, one of these among them; none if that is too far from the beginning. */
  firstWith(index: number, length: () => number): Int32Array {
    if (!this.countsFromEnd) return this.firstOf(index);
    const count = length();
    return count > MOST_IN_BLOCK ? NO_CLASSES : this.ofLength(count, length);
  }

  /** Whether the length of an array matters. */
  get countsFromEnd(): boolean {
    return this.fromEnd.length > 0 || this.byLength.length > 0;
  }

  private firstOf(index: number): Int32Array {
    if (index >= MOST_IN_BLOCK) return NO_CLASSES;
    if (index >= this.first.length) {
      const size = Math.max(FIRST_BLOCK, this.first.length * 2, 2 ** Math.ceil(Math.log2(index + 1)));
      this.first = new Int32Array(Math.min(size, MOST_IN_BLOCK));
      this.sort(this.first, 0, NO_LENGTH);
    }
    return this.first;
  }

  private ofLength(count: number, length: () => number): Int32Array {
    const known = this.known.get(count);
    if (known) return known;
    if (this.knownCount + count > MAX_KNOWN) {
      this.known.clear();
      this.knownCount = 0;
    }
    const classes = new Int32Array(count);
    this.known.set(count, classes);
    this.knownCount += count;
    this.sort(classes, 0, length);
    return classes;
  }

  /** Finds the classes of as many elements as there is room for, from one on. */
  sort(classes: Int32Array, start: number, length: () => number): void {
    classes.fill(0);
    for (const piece of this.byIndex) this.mark(piece, piece.number, classes, start);
    if (this.fromEnd.length > 0) this.markFromEnd(classes, start, length());
    for (const [at, slice] of this.byLength.entries())
      this.mark(inArrayOf(slice, length()), this.pieces + at, classes, start);
  }

  private mark({ from, to, step }: Indexes, number: number, classes: Int32Array, start: number): void {
    const { sets } = this;
    const first = from >= start ? from : from + Math.ceil((start - from) / step) * step;
    const last = Math.min(to, start + classes.length);
    for (let index = first; index < last; index += step)
      classes[index - start] = sets.with(classes[index - start]!, number);
  }

  /** The pieces are of one step, so in ascending order. */
  private markFromEnd(classes: Int32Array, start: number, length: number): void {
    for (const { number, from, to, step } of this.fromEnd) {
      if (from > length - start) return;
      const indexes = { from: Math.max(0, length - to + 1), to: length - from + 1, step };
      this.mark(indexes, number, classes, start);
    }
  }
}

/** The classes of the elements of one array, asked for in order. */
export class ArrayClasses {
  private readonly sorted: IndexClasses;
  private readonly length: () => number;
  private classes: Int32Array = NO_CLASSES;
  private start = 0;
  private end = 0;

  constructor(sorted: IndexClasses, length: () => number) {
    this.sorted = sorted;
    this.length = length;
  }

  /** The same number for elements that the same segments select, or `UNSORTED`. */
  at(index: number): number {
    if (index >= this.end || index < this.start) this.sort(index);
    return this.classes[index - this.start]!;
  }

  private sort(index: number): void {
    const { sorted, length } = this;
    const first = sorted.firstWith(index, length);
    const isThere = index < first.length;
    this.start = isThere ? 0 : index;
    this.classes = isThere ? first : new Int32Array(this.blockAfter(this.classes.length));
    if (!isThere) sorted.sort(this.classes, index, length);
    this.end = this.start + this.classes.length;
  }

  private blockAfter(size: number): number {
    return Math.min(Math.max(FIRST_BLOCK, size * 2), MOST_IN_BLOCK);
  }
}

/** The length of an array of which it does not matter. */
const NO_LENGTH = (): number => 0;

function selectionsOf(segments: readonly Segment[]): Selections {
  const selections: Selections = { byIndex: [], fromEnd: [], byLength: [] };
  let selector = segments.length;
  for (const [at, segment] of segments.entries())
    for (const part of partsOf(segment)) {
      if (part.kind === 'index')
        selections.byIndex.push({ selector: at, from: part.index, to: part.index + 1, step: 1 });
      else if (part.kind === 'slice') addSlice(part, at, selector, selections);
      selector += 2;
    }
  return selections;
}

/**
 * @param segment its number: all that is selected by indexes alone is alike if the same segments select it
 * @param own two numbers that nothing else has: what depends on the end as well has to be told apart
 */
function addSlice(
  slice: Slice,
  segment: number,
  own: number,
  { byIndex, fromEnd, byLength }: Selections,
): void {
  const { from, to, step } = slice;
  if (from >= 0 && to >= 0) byIndex.push({ selector: segment, from, to, step });
  else if (step > 1) byLength.push(slice);
  else {
    const isPartOfStart = from > 0 || (to >= 0 && to < Infinity);
    if (isPartOfStart)
      byIndex.push({ selector: own, from: Math.max(0, from), to: to < 0 ? Infinity : to, step });
    fromEnd.push({ selector: own + 1, from: to < 0 ? 1 - to : 1, to: from < 0 ? 1 - from : Infinity, step });
  }
}

function inArrayOf({ from, to, step }: Slice, length: number): Indexes {
  return {
    from: from < 0 ? Math.max(0, from + length) : from,
    to: to < 0 ? to + length : Math.min(to, length),
    step,
  };
}
