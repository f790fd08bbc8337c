import _ from 'lodash';
import type { IndexClasses } from './index-classes.ts';
import { dependsOnIndex, isOfSoleElement, type Segment } from './path.ts';
import { atRecord as inRecord, isInArray, isPlain, isReadHere, type PlainPaths } from './plain-paths.ts';
import type { Position } from './position.ts';

/** Paths of an automaton, by positions in them. */
export interface Paths {
  readonly plain: PlainPaths | undefined;
  /** The segment that a path goes on with; undefined if it ends. */
  segmentAt(position: Position): Segment | undefined;
  /** Sorts the elements of arrays by the segments that select them. */
  classesOf(segments: readonly Segment[]): IndexClasses;
}

/** What paths ask at the positions that they have come to. */
export interface Reached {
  /** The positions at which a path ends, in ascending order. */
  readonly ends: readonly Position[];
  readonly awaitsElement: boolean;
  /** Whether it depends on the index of an element which paths go on there. */
  readonly isIndexed: boolean;
  /** Whether all segments that follow write a name out. */
  readonly isExact: boolean;
}

/** Sorts out what paths ask at their positions. */
export function reachedAt(paths: Paths, positions: readonly Position[]): Reached {
  const ends: Position[] = [];
  let awaitsElement = false;
  let isIndexed = false;
  let isExactSoFar = true;
  for (const position of positions) {
    if (isPlain(position)) {
      if (placeAt(paths, position) !== undefined) ends.push(position);
      continue;
    }
    const segment = paths.segmentAt(position);
    if (segment === undefined) ends.push(position);
    else {
      awaitsElement ||= isOfSoleElement(segment, paths.segmentAt(position + 1));
      isIndexed ||= dependsOnIndex(segment);
      isExactSoFar &&= isExact(segment);
    }
  }
  return { ends, awaitsElement, isIndexed, isExact: isExactSoFar };
}

/** The place of the plain path that ends at a position; undefined if none does. */
export function placeAt(paths: Paths, position: Position): number | undefined {
  if (isInArray(position) || !isReadHere(position)) return undefined;
  return paths.plain?.nodeAt(position).place;
}

/** Whether a path ends at a position, or there at the records alone. */
export function isAtEnd(paths: Paths, position: Position): boolean {
  return (paths.segmentAt(position)?.kind ?? 'record') === 'record';
}

/** The positions at a record, for those at the value that it is. */
export function atRecord(paths: Paths, positions: readonly Position[]): readonly Position[] {
  return positions.map((at) => {
    if (isPlain(at)) return inRecord(at);
    return paths.segmentAt(at)?.kind === 'record' ? at + 1 : at;
  });
}

/** The positions after each `#`. `[*]` matches what is in the object as well, so that its position stays. */
export function behindElements(paths: Paths, positions: readonly Position[]): readonly Position[] {
  const behind = positions.flatMap((at) =>
    isPlain(at) ? [at] : behindLists(at, (one) => paths.segmentAt(one)),
  );
  return _.sortedUniq(behind.toSorted((a, b) => a - b));
}

/** The same of one path. */
function behindLists(
  position: number,
  segmentAt: (position: number) => Segment | undefined,
): readonly number[] {
  const segment = segmentAt(position);
  if (!isOfSoleElement(segment, segmentAt(position + 1))) return [position];
  const behind = behindLists(position + 1, segmentAt);
  return segment?.kind === 'any' ? [position, ...behind] : behind;
}

/** Two ascending lists as one. */
export function merged(a: readonly Position[], b: readonly Position[]): readonly Position[] {
  if (b.length === 0) return a;
  const all: Position[] = [];
  let next = 0;
  for (const position of a) {
    for (let other = b[next]; other !== undefined && other < position; other = b[++next]) all.push(other);
    if (b[next] === position) next++;
    all.push(position);
  }
  for (let other = b[next]; other !== undefined; other = b[++next]) all.push(other);
  return all;
}

function isExact({ kind }: Segment): boolean {
  return kind === 'name' || kind === 'index' || kind === 'each' || kind === 'record';
}
