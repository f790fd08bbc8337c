import type { Segment } from './path.ts';

/** How many elements are sorted into classes at once: in the first step, and at most. */
const FIRST_BLOCK = 256;
const MOST_IN_BLOCK = 2048;
/** How many classes are distinguished. */
const MAX_CLASSES = 4096;

/** How many sets there is room for at first, and how many places there are for sets that are found without a map. */
const FIRST_SETS = 8;
const MAX_TABLE = 2 ** 16;

/** The class of all indexes beyond those that are distinguished. */
export const UNSORTED = -1;

/** Indexes at equal distances. */
interface Progression {
  /** The segment that selects them. */
  readonly segment: number;
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Numbers the sets of segments that select elements: 0 is the empty set, a larger one has one more segment than another. */
class SegmentSets {
  private readonly count: number;
  private readonly largest: number[] = [-1];
  /** By a smaller set and the segment that it lacks; 0 is not known yet. */
  private larger: Int32Array;
  /** The same beyond those. */
  private readonly others = new Map<number, number>();

  constructor(segments: number) {
    this.count = segments;
    this.larger = new Int32Array(Math.min(segments * FIRST_SETS, MAX_TABLE));
  }

  /** The set with one more segment, which comes after all that are in it or is the last of them. */
  with(set: number, segment: number): number {
    if (set === UNSORTED) return set;
    const key = set * this.count + segment;
    const known = key < this.larger.length ? this.larger[key]! : (this.others.get(key) ?? 0);
    return known === 0 ? this.find(set, segment, key) : known;
  }

  private find(set: number, segment: number, key: number): number {
    const found = this.largest[set] === segment ? set : this.add(segment);
    if (key >= this.larger.length && key < MAX_TABLE) this.growTo(key);
    if (key < MAX_TABLE) this.larger[key] = found;
    else this.others.set(key, found);
    return found;
  }

  private add(segment: number): number {
    if (this.largest.length === MAX_CLASSES) return UNSORTED;
    return this.largest.push(segment) - 1;
  }

  private growTo(key: number): void {
    const larger = new Int32Array(Math.min(Math.max(key + 1, this.larger.length * 2), MAX_TABLE));
    larger.set(this.larger);
    this.larger = larger;
  }
}

/**
 * Sorts the elements of arrays by the segments that select them. An element costs those that do, however many there are: the
 * indexes that a slice selects are counted up and not looked for.
 */
export class IndexClasses {
  private readonly segments: readonly Segment[];
  private readonly sets: SegmentSets;

  constructor(segments: readonly Segment[]) {
    this.segments = segments;
    this.sets = new SegmentSets(segments.length);
  }

  /** @param length of the array */
  inArray(length: () => number): ArrayClasses {
    const all = this.segments.flatMap((segment, at) => progressionsOf(segment, at, length));
    return new ArrayClasses(all, this.sets);
  }
}

/** The classes of the elements of one array, asked for in order. */
export class ArrayClasses {
  private readonly progressions: readonly Progression[];
  private readonly sets: SegmentSets;
  private classes = new Int32Array(FIRST_BLOCK);
  private start = 0;
  private end = 0;

  constructor(progressions: readonly Progression[], sets: SegmentSets) {
    this.progressions = progressions;
    this.sets = sets;
  }

  /** The same number for elements that the same segments select, or {@link UNSORTED}. */
  at(index: number): number {
    if (index >= this.end || index < this.start) this.sort(index);
    return this.classes[index - this.start]!;
  }

  private sort(start: number): void {
    if (this.end > 0 && this.classes.length < MOST_IN_BLOCK)
      this.classes = new Int32Array(this.classes.length * 2);
    const { classes, sets } = this;
    const end = start + classes.length;
    classes.fill(0);
    for (const { segment, from, to, step } of this.progressions) {
      const first = from >= start ? from : from + Math.ceil((start - from) / step) * step;
      const last = Math.min(to, end);
      for (let index = first; index < last; index += step)
        classes[index - start] = sets.with(classes[index - start]!, segment);
    }
    this.start = start;
    this.end = end;
  }
}

function progressionsOf(segment: Segment, at: number, length: () => number): readonly Progression[] {
  switch (segment.kind) {
    case 'index':
      return [{ segment: at, from: segment.index, to: segment.index + 1, step: 1 }];
    case 'slice': {
      const from = segment.from < 0 ? Math.max(0, segment.from + length()) : segment.from;
      const to = segment.to < 0 ? segment.to + length() : segment.to;
      return [{ segment: at, from, to, step: segment.step }];
    }
    case 'union':
      return segment.of.flatMap((one) => progressionsOf(one, at, length));
    case 'any':
      return [{ segment: at, from: 0, to: Infinity, step: 1 }];
    case 'name':
    case 'each':
    case 'wildcard':
    case 'descend':
    case 'record':
      return [];
  }
}
