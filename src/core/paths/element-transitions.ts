import _ from 'lodash';
import type { IndexClasses } from './index-classes.ts';
import { dependsOnIndex, matchElement, partsOf, type Segment } from './path.ts';
import { inArray, isPlain, isReadHere } from './plain-paths.ts';
import type { Position } from './position.ts';
import type { Paths } from './positions.ts';

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
  private readonly onIndex: Segment[] = [];
  /** The positions behind single indexes. */
  private readonly byIndex = new Map<number, Position[]>();
  /** Slices. */
  private readonly selections: Selection[] = [];
  private readonly paths: Paths;
  private sorted: IndexClasses | undefined;

  constructor(paths: Paths, positions: readonly Position[]) {
    this.paths = paths;
    for (const position of positions) {
      if (isPlain(position)) {
        if (paths.plain?.nodeAt(position).hasNext)
          this.always.push(isReadHere(position) ? inArray(position) : position);
        continue;
      }
      const segment = paths.segmentAt(position);
      if (segment !== undefined) this.add(position, segment);
    }
  }

  /** The classes of elements that lead to the same positions. */
  get classes(): IndexClasses {
    this.sorted ??= this.paths.classesOf(this.onIndex);
    return this.sorted;
  }

  /** Adds the positions to which an element leads for its index. */
  follow(index: number, length: () => number, into: Position[]): void {
    for (const position of this.byIndex.get(index) ?? NO_POSITIONS) into.push(position);
    for (const { position, segment } of this.selections)
      if (matchElement(segment, index, length).matches) into.push(position + 1);
  }

  private add(position: Position, segment: Segment): void {
    if (!dependsOnIndex(segment)) {
      addAlways(position, segment, this.always);
      return;
    }
    const [onIndex, others] = _.partition(partsOf(segment), dependsOnIndex);
    addAlways(position, { kind: 'union', of: others }, this.always);
    for (const part of onIndex) this.addOnIndex(position, part);
    if (onIndex.length > 0) this.onIndex.push(segment);
  }

  private addOnIndex(position: Position, segment: Segment): void {
    if (segment.kind !== 'index') {
      this.selections.push({ position, segment });
      return;
    }
    const known = this.byIndex.get(segment.index);
    if (known) known.push(position + 1);
    else this.byIndex.set(segment.index, [position + 1]);
  }
}

const NO_POSITIONS: readonly Position[] = [];

/** The length of an array of which it does not matter. */
const NO_LENGTH = (): number => 0;

function addAlways(position: Position, segment: Segment, into: Position[]): void {
  const { matches, enters } = matchElement(segment, 0, NO_LENGTH);
  if (enters) into.push(position);
  if (matches) into.push(position + 1);
}
