import { endOf, Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { stringAt } from '../json/text.ts';
import { characterAt, sizeOfCharacter } from '../json/unescape.ts';
import { NameIndex } from './name-index.ts';
import type { Segment } from './path.ts';
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

/** How many patterns are compared with a name one by one, and with how many names before all are compared at once. */
const FEW_PATTERNS = 16;

/** How a set of positions goes on by names: what does not depend on these is found out once. */
export class Transitions {
  /** Where a property leads whatever its name is. */
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

  /** Adds the positions after a name that is covered by these patterns. */
  followPatterns(covering: number, into: Position[]): void {
    for (let at = 0; at < this.patterns.length; at++)
      if ((covering & (1 << at)) !== 0) into.push(this.patterns[at]!.position + 1);
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

  isWrittenOut(name: string): boolean {
    return this.byName.has(name) || this.plain.some(({ node }) => node.after(name) !== undefined);
  }

  /** The positions behind segments that write this name out. */
  written(name: string): readonly Position[] | undefined {
    return this.byName.get(name);
  }

  /**
   * Adds the other positions after a property of this name, behind patterns and in plain paths.
   *
   * @param wildcards all that names are compared with
   */
  follow(name: string, wildcards: () => WildcardSet | undefined, into: Position[]): void {
    for (const position of this.covering(name, wildcards)) into.push(position + 1);
    for (const { position, node } of this.plain) {
      const next = node.after(name);
      if (next) into.push(positionAfter(position, next));
    }
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

  private add(position: Position, segment: Segment): void {
    switch (segment.kind) {
      case 'descend':
        this.always.push(position);
        return;
      case 'any':
        if (segment.isOfElements !== true) this.always.push(position + 1);
        return;
      case 'wildcard':
        this.patterns.push({ position, wildcard: segment.wildcard });
        return;
      case 'index':
      case 'name':
        this.addName(segment.name, position + 1);
        return;
      case 'each':
        this.addName('#', position + 1);
        return;
      case 'union':
        this.addUnion(position, segment.of);
        return;
      case 'slice':
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
