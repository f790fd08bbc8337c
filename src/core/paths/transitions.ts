import { endOf, Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { stringAt } from '../json/text.ts';
import { characterAt, sizeOfCharacter } from '../json/unescape.ts';
import { IndexClasses } from './index-classes.ts';
import { NameIndex } from './name-index.ts';
import { matchElement, type Segment } from './path.ts';
import { isPlain, isReadHere, positionAfter, type NameNode, type PlainPaths } from './plain-paths.ts';
import type { Position } from './position.ts';
import { readCodePoints, roomForCharacters, type Wildcard } from './wildcard.ts';
import type { WildcardSet } from './wildcard-set.ts';

interface Pattern {
  readonly position: Position;
  readonly wildcard: Wildcard;
}

/** A position in plain paths that may go on. */
interface PlainPosition {
  readonly position: Position;
  readonly node: NameNode;
}

/** How many names are looked up in the plain paths before all names are indexed by their bytes: most states are used rarely. */
const FEW = 32;

/** How many segments fit into a small integer: what a segment makes of an element takes two bits. */
const OUTCOMES_IN_NUMBER = 15;

/** How many patterns are compared with a name one by one, and with how many names before all are compared at once. */
const FEW_PATTERNS = 16;

/** How a set of positions goes on by names and indexes: what depends on neither is found out once. */
export class Transitions {
  /** Whatever the name is. */
  readonly always: Position[] = [];
  private readonly byName = new Map<string, Position[]>();
  private readonly patterns: Pattern[] = [];
  private readonly plain: PlainPosition[] = [];
  /** The positions before many patterns, by the numbers of these; made when it is asked for first. */
  private byPattern: ReadonlyMap<number | undefined, readonly Position[]> | undefined;
  private compared = 0;
  private asked = 0;
  /** The names that are written out, found where they are in a text; made when it is asked for first. */
  private spelt: NameIndex<string> | undefined;
  private sorted: IndexClasses | undefined;
  /** What an index decides. */
  private readonly onIndex: Segment[] = [];
  /** The indexes that lead elsewhere than others; undefined if these are more than are written out. */
  private readonly indexes: ReadonlySet<number> | undefined;

  constructor(
    positions: readonly Position[],
    segmentAt: (position: Position) => Segment | undefined,
    plain: PlainPaths | undefined,
  ) {
    for (const position of positions) {
      if (isPlain(position)) {
        const node = plain?.nodeAt(position);
        if (node?.hasNext === true && isReadHere(position)) this.plain.push({ position, node });
        continue;
      }
      const segment = segmentAt(position);
      if (segment !== undefined) this.add(position, segment);
    }
    const indexes = this.onIndex.map(indexesIn);
    this.indexes = indexes.every((some) => some !== undefined) ? new Set(indexes.flat()) : undefined;
  }

  /** Whether to compare a name in a text with the patterns one by one ({@link patternsAt}): most states are used rarely. */
  comparesOneByOne(doc: JsonDocument, node: Node): boolean {
    const { length } = this.patterns;
    if (length === 0) return true;
    return length <= FEW_PATTERNS && this.compared < FEW && kindOf(doc, node) === Kind.plainString;
  }

  /**
   * Which patterns cover a name in a text, without decoding that: a bit for each.
   *
   * @param node a name without escapes, unless there are no patterns
   */
  patternsAt(doc: JsonDocument, node: Node): number {
    if (this.patterns.length === 0) return 0;
    this.compared++;
    const start = startOf(doc, node) + 1;
    const end = endOf(doc, node) - 1;
    const characters = roomForCharacters(end - start);
    const length = readCharacters(doc.bytes, start, end, characters);
    let covering = 0;
    for (let at = 0; at < this.patterns.length; at++)
      if (this.patterns[at]!.wildcard.matchesCharacters(characters, length)) covering |= 1 << at;
    return covering;
  }

  /** The positions after a property whose name is not written out and is covered by these patterns. */
  afterPatterns(covering: number): readonly Position[] {
    const covered = this.patterns.filter((_pattern, at) => (covering & (1 << at)) !== 0);
    return this.always.concat(covered.map(({ position }) => position + 1));
  }

  /** A name in a text, if it is one of those that are written out. */
  nameAt(doc: JsonDocument, node: Node): string | undefined {
    if (this.asked < FEW) {
      this.asked++;
      const name = stringAt(doc, node);
      return this.isWrittenOut(name) ? name : undefined;
    }
    this.spelt ??= indexOf(
      new Set([...this.byName.keys(), ...this.plain.flatMap((one) => [...one.node.names])]),
    );
    return this.spelt.get(doc, node);
  }

  private isWrittenOut(name: string): boolean {
    return this.byName.has(name) || this.plain.some(({ node }) => node.after(name) !== undefined);
  }

  /**
   * The positions after a property of this name.
   *
   * @param wildcards all that names are compared with
   */
  after(name: string, wildcards: () => WildcardSet | undefined): readonly Position[] {
    const positions = this.always.concat(this.byName.get(name) ?? []);
    for (const position of this.covering(name, wildcards)) positions.push(position + 1);
    for (const { position, node } of this.plain) {
      const next = node.after(name);
      if (next) positions.push(positionAfter(position, next));
    }
    return positions;
  }

  /** The positions before the patterns that cover a name. */
  private covering(name: string, wildcards: () => WildcardSet | undefined): readonly Position[] {
    const { patterns } = this;
    if (patterns.length === 0) return NO_POSITIONS;
    const set = patterns.length > FEW_PATTERNS ? wildcards() : undefined;
    if (set === undefined) {
      const characters = roomForCharacters(name.length);
      const length = readCodePoints(name, characters);
      const covering = patterns.filter(({ wildcard }) => wildcard.matchesCharacters(characters, length));
      return covering.map(({ position }) => position);
    }
    this.byPattern ??= positionsBy(patterns, set);
    const { byPattern } = this;
    return set.of(name).wildcards.flatMap((number) => byPattern.get(number) ?? NO_POSITIONS);
  }

  get indexClasses(): IndexClasses {
    this.sorted ??= new IndexClasses(this.onIndex);
    return this.sorted;
  }

  /** The same for indexes that lead to the same positions. */
  outcomeAt(index: number, length: () => number): string | number {
    if (this.indexes !== undefined) return this.indexes.has(index) ? index : -1;
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
    switch (segment.kind) {
      case 'descend':
        this.always.push(position);
        return;
      case 'any':
        this.always.push(position + 1);
        return;
      case 'wildcard':
        this.patterns.push({ position, wildcard: segment.wildcard });
        return;
      case 'index':
        this.onIndex.push(segment);
        this.addName(segment.name, position + 1);
        return;
      case 'name':
        this.addName(segment.name, position + 1);
        return;
      case 'each':
        this.addName('#', position + 1);
        return;
      case 'slice':
        this.onIndex.push(segment);
        return;
      case 'union':
        this.onIndex.push(segment);
        this.addUnion(position, segment.of);
        return;
      case 'record':
    }
  }

  /** A union in brackets has names, indexes and `*`. */
  private addUnion(position: Position, of: readonly Segment[]): void {
    if (of.some(({ kind }) => kind === 'any')) {
      this.always.push(position + 1);
      return;
    }
    const names = of.flatMap((one) => (one.kind === 'name' || one.kind === 'index' ? [one.name] : []));
    for (const name of new Set(names)) this.addName(name, position + 1);
  }

  private addName(name: string, after: Position): void {
    const known = this.byName.get(name);
    if (known) known.push(after);
    else this.byName.set(name, [after]);
  }
}

const NO_POSITIONS: readonly Position[] = [];

function positionsBy(
  patterns: readonly Pattern[],
  set: WildcardSet,
): ReadonlyMap<number | undefined, readonly Position[]> {
  const positions = new Map<number | undefined, Position[]>();
  for (const { position, wildcard } of patterns) {
    const number = set.numberOf(wildcard);
    const known = positions.get(number);
    if (known) known.push(position);
    else positions.set(number, [position]);
  }
  return positions;
}

/** @returns how many code points there are */
function readCharacters(bytes: Buffer, start: number, end: number, into: Uint32Array): number {
  let count = 0;
  for (let at = start; at < end; count++) {
    const byte = bytes[at]!;
    into[count] = byte < 0x80 ? byte : characterAt(bytes, at, byte);
    at += sizeOfCharacter(byte);
  }
  return count;
}

function indexOf(names: Iterable<string>): NameIndex<string> {
  const index = new NameIndex<string>();
  for (const name of names) index.set(name, name);
  return index;
}

/** The indexes that a segment distinguishes from all others; undefined if it counts from the end or by steps. */
function indexesIn(segment: Segment): number[] | undefined {
  if (segment.kind === 'index') return segment.index < 0 ? undefined : [segment.index];
  if (segment.kind !== 'union') return segment.kind === 'slice' ? undefined : [];
  const indexes = segment.of.map(indexesIn);
  return indexes.every((some) => some !== undefined) ? indexes.flat() : undefined;
}
