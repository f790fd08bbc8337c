import _ from 'lodash';
import { writtenName, type Path, type Segment } from '../paths/path.ts';
import {
  isPlain,
  isReadHere,
  Reading,
  readingAt,
  type NameNode,
  type PlainPaths,
} from '../paths/plain-paths.ts';
import { pathOf, PATH_STRIDE, type Position } from '../paths/position.ts';
import type { PositionSet, PositionSets } from '../paths/position-set.ts';
import type { PathList } from './path-list.ts';
import type { ReadPath } from './read-paths.ts';

/** The paths of an automaton. */
interface FollowedPaths {
  readonly automaton: PositionSets;
  /** Those that are followed one by one. */
  readonly paths: readonly ReadPath[];
  /** Those of names, which are followed together. */
  readonly plain: PlainPaths | undefined;
}

/** Finds the names that paths look for next if they create what is missing. */
export class CreatingPaths {
  private readonly list: PathList;
  private readonly followed: FollowedPaths;
  /** Of each path, after how many of its segments the rest names properties one by one; filled in when it is asked for. */
  private readonly exactFrom: number[] = [];
  private readonly known = new WeakMap<PositionSet, PositionSet>();
  /** The names that plain paths look for, by the node before them, of the paths at some places. */
  private readonly wantedNames = new WeakMap<ReadonlySet<number>, WantedNames>();

  constructor(list: PathList, followed: FollowedPaths) {
    this.list = list;
    this.followed = followed;
  }

  /** Those of some positions that are of paths that create what is missing. */
  among(set: PositionSet): PositionSet {
    const known = this.known.get(set);
    if (known) return known;
    const found = this.kept(set, (position) => this.mayCreate(position));
    this.known.set(set, found);
    return found;
  }

  /** Those of them that create something where nothing is: digits may then be an index as well as a name. */
  anew(set: PositionSet): PositionSet {
    return this.kept(set, (position) => isPlain(position) || this.segmentAt(position)?.kind !== 'index');
  }

  private kept(set: PositionSet, isKept: (position: Position) => boolean): PositionSet {
    const kept = set.positions.filter(isKept);
    return kept.length === set.positions.length ? set : this.followed.automaton.setOf(kept);
  }

  /**
   * The names that some of them look for next.
   *
   * @param wanted the places of the paths that count
   */
  namesAfter({ positions }: PositionSet, wanted: ReadonlySet<number>): WantedNamesAt {
    if (wanted.size === 0) return NO_NAMES;
    const found: WantedName[] = [];
    for (const position of positions) {
      if (isPlain(position)) {
        for (const name of this.namesWanted(position, wanted)) found.push(name);
        continue;
      }
      const { place } = this.pathAt(position);
      if (!wanted.has(place)) continue;
      const segment = this.segmentAt(position);
      const name = segment && writtenName(segment);
      if (name !== undefined) found.push({ name, place });
    }
    return found;
  }

  /** The place of the path that ends at a property of this name below some positions, if no other path leads to it or on from there. */
  soleEndAfter(positions: readonly Position[], name: string): number | undefined {
    const { plain } = this.followed;
    let end: number | undefined;
    for (const position of positions) {
      if (!plain || !isPlain(position)) return undefined;
      const node = isReadHere(position) ? plain.nodeAt(position).after(name) : undefined;
      if (node === undefined) continue;
      const { place } = node;
      if (place === undefined || node.hasNext || (end ?? place) !== place) return undefined;
      end = place;
    }
    return end;
  }

  private mayCreate(position: Position): boolean {
    if (isPlain(position)) return mayCreatePlain(position);
    const { path, creates, namesPayload, isOfOwnJson } = this.pathAt(position);
    const matched = position % PATH_STRIDE;
    if (!creates || (matched === 0 && namesPayload) || (matched <= 1 && isOfOwnJson)) return false;
    return matched >= (this.exactFrom[pathOf(position)] ??= exactFrom(path));
  }

  private segmentAt(position: Position): Segment | undefined {
    return this.pathAt(position).path[position % PATH_STRIDE];
  }

  private pathAt(position: Position): ReadPath {
    return this.followed.paths[pathOf(position)]!;
  }

  private namesWanted(position: Position, wanted: ReadonlySet<number>): WantedNamesAt {
    const { plain } = this.followed;
    if (!plain || !isReadHere(position)) return NO_NAMES;
    const known = this.wantedNames.get(wanted) ?? wantedNamesIn(this.list, wanted);
    this.wantedNames.set(wanted, known);
    return known.get(plain.nodeAt(position)) ?? NO_NAMES;
  }
}

/** A name, and the first of the places at which a path looks for it. */
export interface WantedName {
  readonly name: string;
  readonly place: number;
}

type WantedNamesAt = readonly WantedName[];
type WantedNames = ReadonlyMap<NameNode, WantedNamesAt>;
const NO_NAMES: WantedNamesAt = [];

/**
 * The names after each node, of paths at some places, each with the first of these paths.
 *
 * @param wanted in ascending order
 */
function wantedNamesIn({ all }: PathList, wanted: ReadonlySet<number>): WantedNames {
  const after = new Map<NameNode, { name: string; place: number }[]>();
  const met = new Set<NameNode>();
  for (const place of wanted) {
    for (let node = all[place]?.end; node?.before && !met.has(node); node = node.before) {
      met.add(node);
      const names = after.get(node.before);
      if (names) names.push({ name: node.name, place });
      else after.set(node.before, [{ name: node.name, place }]);
    }
  }
  return after;
}

/** All of a plain path names properties one by one. */
function mayCreatePlain(position: Position): boolean {
  const reading = readingAt(position);
  return reading !== Reading.nextMatch && reading !== Reading.match;
}

/**
 * How many segments of a path have to be matched before the rest of it names properties one by one. `#` names none, and what
 * follows `..` has to exist.
 */
function exactFrom(path: Path): number {
  const last = path.findLastIndex(
    (segment) => segment.kind !== 'record' && writtenName(segment) === undefined,
  );
  return last < 0 ? 0 : last + (path[last]?.kind === 'descend' ? 2 : 1);
}
