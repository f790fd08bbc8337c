import type { Path } from './path.ts';
import type { Position } from './position.ts';

/** A name in paths that consist of names: such paths share what they begin with. */
export class NameNode {
  readonly number: number;
  /** The node before it; undefined at the beginning of all paths. */
  readonly before: NameNode | undefined;
  readonly name: string;
  /** The only node after it; undefined if there is none, or more than one. */
  private sole: NameNode | undefined;
  /** The nodes after it, by their names, if they are more than one. */
  private others: Map<string, NameNode> | undefined;
  /** The place of the path that ends here among those of the plan; undefined if none does. */
  place: number | undefined;

  constructor(number: number, before: NameNode | undefined, name: string) {
    this.number = number;
    this.before = before;
    this.name = name;
    this.sole = undefined;
    this.others = undefined;
    this.place = undefined;
  }

  /** Whether any node comes after it. */
  get hasNext(): boolean {
    return this.sole !== undefined || this.others !== undefined;
  }

  /** The node of a name after it. */
  after(name: string): NameNode | undefined {
    const { sole } = this;
    if (sole !== undefined) return sole.name === name ? sole : undefined;
    return this.others?.get(name);
  }

  /** The names after it. */
  get names(): Iterable<string> {
    return this.sole ? [this.sole.name] : (this.others?.keys() ?? []);
  }

  /** Adds a node that is not there. */
  add(node: NameNode): void {
    const { sole } = this;
    if (!this.hasNext) this.sole = node;
    else if (sole === undefined) this.others?.set(node.name, node);
    else {
      this.others = new Map([
        [sole.name, sole],
        [node.name, node],
      ]);
      this.sole = undefined;
    }
  }
}

/** From what a plain path is read, and for what. */
export const Reading = {
  /** From the payload. */
  payload: 0,
  /** From a record that is not met yet: to match what is there, and to create what is not. */
  nextMatch: 1,
  nextCreate: 2,
  /** From a record. */
  match: 3,
  create: 4,
} as const;
export type Reading = (typeof Reading)[keyof typeof Reading];

/** The nodes of plain paths, of which a position takes one with a reading. Positions of other paths are not negative. */
export class PlainPaths {
  /** Where all paths begin. */
  readonly top = new NameNode(0, undefined, '');
  /** Where those begin that are paths of names in records alone: digits come first, which are an index elsewhere. */
  readonly inRecords = new NameNode(1, undefined, '');
  private readonly nodes: NameNode[] = [this.top, this.inRecords];

  /** Whether there is any path. */
  get isEmpty(): boolean {
    return !this.top.hasNext && !this.inRecords.hasNext;
  }

  /** The node at which a path ends. */
  add(path: Path): NameNode {
    let node = this.top;
    for (const segment of path) if (segment.kind === 'name') node = this.child(node, segment.name);
    return node;
  }

  /** The node at which a path ends that is one of names in records alone. */
  addInRecords(path: Path): NameNode {
    let node = this.inRecords;
    for (const segment of path) if ('name' in segment) node = this.child(node, segment.name ?? '');
    return node;
  }

  /** The node at which a path ends; undefined if it is not there. */
  find(path: Path): NameNode | undefined {
    let node: NameNode | undefined = this.top;
    for (const segment of path) node = segment.kind === 'name' ? node?.after(segment.name) : undefined;
    return node;
  }

  nodeAt(position: Position): NameNode {
    return this.nodes[nodeOf(position)]!;
  }

  /** All names. */
  *names(): Generator<string> {
    for (const { name, before } of this.nodes) if (before) yield name;
  }

  private child(node: NameNode, name: string): NameNode {
    const known = node.after(name);
    if (known) return known;
    const child = new NameNode(this.nodes.length, node, name);
    this.nodes.push(child);
    node.add(child);
    return child;
  }
}

/** Whether a path consists of names. */
export function isOfNames(path: Path): boolean {
  for (const { kind } of path) if (kind !== 'name') return false;
  return path.length > 0;
}

/** Whether a path consists of names in a record, which is never an array: digits come first. */
export function isOfNamesInRecords([first, ...rest]: Path): boolean {
  return first?.kind === 'index' && rest.every(({ kind }) => kind === 'name');
}

const READING_BITS = 3;
const READINGS = 7;
/** Set in a position in an array that is at the node: a path that ends there names the array, and not its elements. */
const IN_ARRAY = 8;
const NODE_BITS = READING_BITS + 1;

/** The position at a node. */
export function plainPosition({ number }: NameNode, reading: Reading): Position {
  return ~((number << NODE_BITS) | reading);
}

export function isPlain(position: Position): boolean {
  return position < 0;
}

export function readingAt(position: Position): number {
  return ~position & READINGS;
}

/** The same position in an element of an array. */
export function inArray(position: Position): Position {
  return ~(~position | IN_ARRAY);
}

export function isInArray(position: Position): boolean {
  return (~position & IN_ARRAY) !== 0;
}

/** Whether paths go on by names, and not at the next record. */
export function isReadHere(position: Position): boolean {
  const reading = readingAt(position);
  return reading !== Reading.nextMatch && reading !== Reading.nextCreate;
}

/** The same position at a record. */
export function atRecord(position: Position): Position {
  const reading = readingAt(position);
  if (reading === Reading.nextMatch) return ~((nodeOf(position) << NODE_BITS) | Reading.match);
  return reading === Reading.nextCreate ? ~((nodeOf(position) << NODE_BITS) | Reading.create) : position;
}

/** The position at the next node. */
export function positionAfter(position: Position, { number }: NameNode): Position {
  return ~((number << NODE_BITS) | readingAt(position));
}

function nodeOf(position: Position): number {
  return ~position >> NODE_BITS;
}
