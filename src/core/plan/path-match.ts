import _ from 'lodash';
import type { Leaf } from '../conditions/condition.ts';
import { matchElement, matchesName, mayNameRoot, type Path, type Segment } from '../paths/path.ts';
import { isOfNames, PlainPaths, type NameNode } from '../paths/plain-paths.ts';
import { behindLists } from '../paths/positions.ts';
import type { Step } from '../paths/route.ts';
import { nextNumber, type Match, type Matching } from './match.ts';

/** How far apart the positions of one path are from the next path's. */
const PATH_STRIDE = 2 ** 13;

/** How many matches of a condition are kept, so that no payload fills the memory. */
const MAX_MATCHES = 4096;

/** Compares paths with the values of a leaf, read as paths (docs/enforcement.md#conditions-on-names). */
export class PathMatching implements Matching {
  /** Those that are more than names. */
  private readonly others: readonly Path[];
  private readonly plain = new PlainPaths();
  /** The matches that have come to a node alone, by its number. */
  private readonly alone: PathMatch[] = [];
  /** The others, by their keys. */
  private readonly known = new Map<string, PathMatch>();
  readonly none = new PathMatch(this, [], []);
  private readonly isJsonNamed: boolean;

  /** @param isJsonNamed whether `json` names the payload */
  constructor({ paths }: Leaf, isJsonNamed: boolean) {
    this.isJsonNamed = isJsonNamed;
    const [plain, others] = _.partition(paths, isOfNames);
    this.others = others;
    for (const [place, path] of plain.entries()) this.plain.add(path).place ??= place;
  }

  start(isAtPayload: boolean): Match {
    const isJson = isAtPayload && this.isJsonNamed;
    const { top } = this.plain;
    const behindJson = isJson ? top.after('json') : undefined;
    const positions = this.others.flatMap((path, number) => {
      const begun = number * PATH_STRIDE;
      const [first] = path;
      return isJson && first?.kind === 'name' && first.name === 'json' ? [begun, begun + 1] : [begun];
    });
    return this.match(behindJson ? [top, behindJson] : [top], positions);
  }

  /** The same match for the same nodes and positions. */
  match(nodes: readonly NameNode[], positions: readonly number[]): PathMatch {
    if (positions.length === 0 && nodes.length < 2) return this.ofNames(nodes);
    const key = `${nodes.map(({ number }) => number).join(' ')}/${positions.join(' ')}`;
    const known = this.known.get(key);
    if (known) return known;
    const match = new PathMatch(this, nodes, positions);
    if (this.known.size >= MAX_MATCHES) this.known.clear();
    this.known.set(key, match);
    return match;
  }

  /** The match of a path that consists of names. */
  private ofNames([node]: readonly NameNode[]): PathMatch {
    if (node === undefined) return this.none;
    return (this.alone[node.number] ??= new PathMatch(this, [node], []));
  }

  /** Whether a path that has come to a root names it. */
  namesRoot(position: number, names: number): boolean {
    return mayNameRoot(this.others[Math.floor(position / PATH_STRIDE)] ?? [], names);
  }

  segmentAt(position: number): Segment | undefined {
    return this.others[Math.floor(position / PATH_STRIDE)]?.[position % PATH_STRIDE];
  }
}

class PathMatch implements Match {
  readonly number = nextNumber();
  private readonly matching: PathMatching;
  private readonly nodes: readonly NameNode[];
  private readonly positions: readonly number[];

  constructor(matching: PathMatching, nodes: readonly NameNode[], positions: readonly number[]) {
    this.matching = matching;
    this.nodes = nodes;
    this.positions = positions;
  }

  to(step: Step): PathMatch {
    const nodes =
      typeof step === 'string' ? this.nodes.flatMap((node) => node.after(step) ?? []) : this.nodes;
    if (this.positions.length === 0) return this.matching.match(nodes, []);
    const next = new Set<number>();
    for (const at of this.closed())
      for (const position of successorsOf(this.matching.segmentAt(at), at, step)) next.add(position);
    return this.matching.match(
      nodes,
      [...next].toSorted((a, b) => a - b),
    );
  }

  get awaitsElement(): boolean {
    return this.positions.length > 0 && this.behindLists().length > 0;
  }

  atSoleElement(): PathMatch {
    const behind = this.positions.length > 0 ? this.behindLists() : [];
    return behind.length > 0
      ? this.moved([...this.positions.filter((at) => !this.isEach(at)), ...behind])
      : this;
  }

  atRoot(names: number): PathMatch {
    const { matching, positions } = this;
    const kept = positions.filter(
      (at) => matching.segmentAt(at) !== undefined || matching.namesRoot(at, names),
    );
    return kept.length === positions.length ? this : this.moved(kept);
  }

  fits(): boolean {
    if (this.nodes.some(({ place }) => place !== undefined)) return true;
    if (this.positions.length === 0) return false;
    return [...this.closed()].some((at) => this.matching.segmentAt(at) === undefined);
  }

  /** `..` also matches no step at all. */
  private closed(): ReadonlySet<number> {
    const positions = new Set(this.positions);
    for (const at of positions) if (this.matching.segmentAt(at)?.kind === 'descend') positions.add(at + 1);
    return positions;
  }

  /** Where paths go on behind `#` and `[*]`, if one of these is next. */
  private behindLists(): readonly number[] {
    return [...this.closed()].flatMap((at) =>
      behindLists(at, (one) => this.matching.segmentAt(one)).filter((behind) => behind !== at),
    );
  }

  private isEach(position: number): boolean {
    return this.matching.segmentAt(position)?.kind === 'each';
  }

  private moved(positions: readonly number[]): PathMatch {
    return this.matching.match(this.nodes, _.sortedUniq(positions.toSorted((a, b) => a - b)));
  }
}

function successorsOf(segment: Segment | undefined, at: number, step: Step): readonly number[] {
  // The elements of an array have the array's own path, too.
  if (segment === undefined) return typeof step === 'string' ? [] : [at];
  if (segment.kind === 'descend') return [at];
  if (typeof step === 'string') return matchesName(segment, step) ? [at + 1] : [];
  const { matches, enters } = matchElement(segment, step.index, () => step.length);
  return [...(matches ? [at + 1] : []), ...(enters ? [at] : [])];
}
