/** Lines of a text from one index to another, which is not included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Lines that follow one another: of the second text that are in both (` `) or only there (`+`), or of the first alone (`-`). */
export interface DiffRun extends Range {
  readonly mark: ' ' | '-' | '+';
}

/** The most comparisons for one block of lines that have no anchor; a larger block counts as replaced. */
const MAX_COMPARISONS = 1_000_000;
/** How often a block is divided at its anchors. */
const MAX_DIVISIONS = 32;

/**
 * Compares two texts line by line. A comma at the end of a line is no difference: it depends on what follows.
 *
 * The cost grows with the number of lines, not with its square: lines that occur once in both texts anchor the others
 * (patience diff), and what cannot be anchored is compared up to a bound.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffRun[] {
  const differ = new Differ(before, after);
  differ.compare({ from: 0, to: before.length }, { from: 0, to: after.length }, MAX_DIVISIONS);
  return differ.runs;
}

class Differ {
  readonly runs: DiffRun[] = [];
  readonly #keysBefore: Int32Array;
  readonly #keysAfter: Int32Array;

  constructor(before: readonly string[], after: readonly string[]) {
    const keys = new Map<string, number>();
    const keyOf = (line: string): number => {
      const text = line.endsWith(',') ? line.slice(0, -1) : line;
      const known = keys.get(text) ?? keys.size;
      keys.set(text, known);
      return known;
    };
    this.#keysBefore = Int32Array.from(before, keyOf);
    this.#keysAfter = Int32Array.from(after, keyOf);
  }

  compare(before: Range, after: Range, divisions: number): void {
    let { from: i, to: endBefore } = before;
    let { from: j, to: endAfter } = after;
    while (i < endBefore && j < endAfter && this.#isSame(i, j)) {
      i++;
      j++;
    }
    this.#add(' ', { from: after.from, to: j });
    let common = 0;
    while (i < endBefore && j < endAfter && this.#isSame(endBefore - 1, endAfter - 1)) {
      endBefore--;
      endAfter--;
      common++;
    }
    this.#compareMiddle({ from: i, to: endBefore }, { from: j, to: endAfter }, divisions);
    this.#add(' ', { from: endAfter, to: endAfter + common });
  }

  #compareMiddle(before: Range, after: Range, divisions: number): void {
    const isOneSided = before.from === before.to || after.from === after.to;
    const anchors = isOneSided || divisions === 0 ? [] : this.#anchors(before, after);
    if (anchors.length > 0) return this.#compareBetween(anchors, before, after, divisions - 1);
    const size = (before.to - before.from) * (after.to - after.from);
    const common = size > MAX_COMPARISONS ? [] : this.#longestCommon(before, after);
    this.#compareBetween(common, before, after, 0);
  }

  /** Compares what lies between pairs of equal lines. Without divisions left, that has nothing in common. */
  #compareBetween(pairs: readonly Pair[], before: Range, after: Range, divisions: number): void {
    let { from: i } = before;
    let { from: j } = after;
    for (const pair of [...pairs, [before.to, after.to] as const]) {
      const [nextBefore, nextAfter] = pair;
      const gapBefore = { from: i, to: nextBefore };
      const gapAfter = { from: j, to: nextAfter };
      if (divisions > 0) this.compare(gapBefore, gapAfter, divisions);
      else this.#replace(gapBefore, gapAfter);
      if (nextBefore < before.to) this.#add(' ', { from: nextAfter, to: nextAfter + 1 });
      i = nextBefore + 1;
      j = nextAfter + 1;
    }
  }

  /** Lines that occur once in both ranges, as far as they come in the same order. */
  #anchors(before: Range, after: Range): readonly Pair[] {
    const placesBefore = uniquePlaces(this.#keysBefore, before);
    const placesAfter = uniquePlaces(this.#keysAfter, after);
    const pairs: Pair[] = [];
    for (const [key, i] of placesBefore) {
      const j = placesAfter.get(key);
      if (i >= 0 && j !== undefined && j >= 0) pairs.push([i, j]);
    }
    return longestIncreasing(pairs);
  }

  /** The longest common subsequence, by the table of lengths. */
  #longestCommon(before: Range, after: Range): readonly Pair[] {
    const rows = before.to - before.from;
    const columns = after.to - after.from;
    const width = columns + 1;
    const lengths = new Int32Array((rows + 1) * width);
    for (let i = rows - 1; i >= 0; i--)
      for (let j = columns - 1; j >= 0; j--)
        lengths[i * width + j] = this.#isSame(before.from + i, after.from + j)
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    const pairs: Pair[] = [];
    for (let i = 0, j = 0; i < rows && j < columns;) {
      if (this.#isSame(before.from + i, after.from + j)) pairs.push([before.from + i++, after.from + j++]);
      else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
      else j++;
    }
    return pairs;
  }

  #isSame(i: number, j: number): boolean {
    return this.#keysBefore[i] === this.#keysAfter[j];
  }

  #replace(before: Range, after: Range): void {
    this.#add('-', before);
    this.#add('+', after);
  }

  #add(mark: DiffRun['mark'], { from, to }: Range): void {
    if (from === to) return;
    const last = this.runs.at(-1);
    if (last?.mark === mark) this.runs[this.runs.length - 1] = { mark, from: last.from, to };
    else this.runs.push({ mark, from, to });
  }
}

/** The indexes of equal lines. */
type Pair = readonly [before: number, after: number];

/** The place of each key that occurs once in a range, by key; -1 for one that occurs more often. In order of place. */
function uniquePlaces(keys: Int32Array, { from, to }: Range): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (let i = from; i < to; i++) {
    const key = keys[i] ?? -1;
    places.set(key, places.has(key) ? -1 : i);
  }
  return places;
}

/** The longest selection of pairs, sorted by their first index, whose second indexes increase. */
function longestIncreasing(pairs: readonly Pair[]): readonly Pair[] {
  const ends: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, j], at) => {
    const length = lengthBelow(ends, pairs, j);
    previous[at] = ends[length - 1] ?? -1;
    ends[length] = at;
  });
  const chosen: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) chosen.push(pair);
  }
  return chosen.toReversed();
}

/** How long the longest selection is whose last second index is below `limit`. */
function lengthBelow(ends: readonly number[], pairs: readonly Pair[], limit: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
