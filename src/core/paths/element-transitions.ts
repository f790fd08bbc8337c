import { ElementMemo } from './element-memo.ts';
import { dependsOnIndex, matchElement, type Segment } from './path.ts';
import { inArray, isPlain, isReadHere } from './plain-paths.ts';
import type { Position } from './position.ts';
import type { Paths } from './positions.ts';

/** How many segments fit into a small integer: what a segment makes of an element takes two bits. */
const OUTCOMES_IN_NUMBER = 15;

/** For how many elements it is remembered where they lead: there are many sets of positions. */
const MAX_OUTCOMES = 256;

/** A position before a segment that selects elements otherwise than by one index. */
interface Selection {
  readonly position: Position;
  readonly segment: Segment;
}

/** How a set of positions goes on in elements of arrays: what depends on no index is found out once. */
export class ElementTransitions {
  /** Where an element leads whatever its index is. */
  readonly always: Position[] = [];
  /** What an index decides. */
  readonly onIndex: Segment[] = [];
  /** The positions behind single indexes. */
  private readonly byIndex = new Map<number, Position[]>();
  /** Slices and unions. */
  private readonly selections: Selection[] = [];
  /** The indexes that lead elsewhere than others; undefined if these are more than are written out. */
  private readonly indexes: ReadonlySet<number> | undefined;
  /** Outcomes otherwise; made when one is asked for. */
  private memo: ElementMemo<string | number> | undefined;

  constructor(paths: Paths, positions: readonly Position[]) {
    for (const position of positions) {
      if (isPlain(position)) {
        if (paths.plain?.nodeAt(position).hasNext)
          this.always.push(isReadHere(position) ? inArray(position) : position);
        continue;
      }
      const segment = paths.segmentAt(position);
      if (segment !== undefined) this.add(position, segment);
    }
    const indexes = this.onIndex.map(indexesIn);
    this.indexes = indexes.every((some) => some !== undefined) ? new Set(indexes.flat()) : undefined;
  }

  /** Adds the positions to which an element leads for its index. */
  follow(index: number, length: () => number, into: Position[]): void {
    for (const position of this.byIndex.get(index) ?? NO_POSITIONS) into.push(position);
    for (const { position, segment } of this.selections) addMatch(position, segment, index, length, into);
  }

  /** The same for indexes that lead to the same positions. */
  outcomeAt(index: number, length: () => number): string | number {
    if (this.indexes !== undefined) return this.indexes.has(index) ? index : -1;
    this.memo ??= new ElementMemo(this.onIndex, MAX_OUTCOMES);
    return this.memo.get(index, length) ?? this.memo.set(index, length, this.findOutcome(index, length));
  }

  private findOutcome(index: number, length: () => number): string | number {
    let outcome = 0;
    let before = '';
    for (let at = 0; at < this.onIndex.length; at++) {
      if (at % OUTCOMES_IN_NUMBER === 0 && at > 0) {
        before += `${outcome} `;
        outcome = 0;
      }
      const { matches, enters } = matchElement(this.onIndex[at]!, index, length);
      outcome = outcome * 4 + (matches ? 1 : 0) + (enters ? 2 : 0);
    }
    return before === '' ? outcome : before + outcome;
  }

  private add(position: Position, segment: Segment): void {
    if (!dependsOnIndex(segment)) {
      addMatch(position, segment, 0, NO_LENGTH, this.always);
      return;
    }
    this.onIndex.push(segment);
    if (segment.kind !== 'index') this.selections.push({ position, segment });
    else {
      const known = this.byIndex.get(segment.index);
      if (known) known.push(position + 1);
      else this.byIndex.set(segment.index, [position + 1]);
    }
  }
}

const NO_POSITIONS: readonly Position[] = [];

/** The length of an array of which it does not matter. */
const NO_LENGTH = (): number => 0;

function addMatch(
  position: Position,
  segment: Segment,
  index: number,
  length: () => number,
  into: Position[],
): void {
  const { matches, enters } = matchElement(segment, index, length);
  if (enters) into.push(position);
  if (matches) into.push(position + 1);
}

/** The indexes that a segment distinguishes from all others; undefined if it counts from the end or by steps. */
function indexesIn(segment: Segment): number[] | undefined {
  if (segment.kind === 'index') return segment.index < 0 ? undefined : [segment.index];
  if (segment.kind !== 'union') return segment.kind === 'slice' ? undefined : [];
  const indexes = segment.of.map(indexesIn);
  return indexes.every((some) => some !== undefined) ? indexes.flat() : undefined;
}
