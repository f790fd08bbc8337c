import { after, firstIn, Kind, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import { scalarTextAt } from '../json/text.ts';
import { Automaton } from './automaton.ts';
import type { Path } from './path.ts';
import { NameToken } from './name-token.ts';
import { lengthOf } from '../json/length.ts';
import { visitMatches } from './select.ts';

/** A value that is there but is no scalar: nothing that a condition names fits it. */
export const UNREADABLE: unique symbol = Symbol('unreadable');
export type AttributeValue = string | typeof UNREADABLE;
/** A value that an attribute has: its node, never that of an array or null; or the length of an array, as text. */
export type FoundValue = Node | string;

/** No value: a path ends nowhere. */
export const NOWHERE: Node = -1;

/** An attribute of a record, read by a path (docs/path-syntax.md). */
export class Attribute {
  /** The name of the one member of an object that it reads, if that is all that it reads. */
  readonly memberName: string | undefined;
  readonly path: Path;
  /** Where it leads: if it ends in `#`, to what the length of is read. */
  readonly walked: Path;
  private readonly endsInLength: boolean;
  /** The names to follow, if the path consists of names: objects are then searched for them alone. */
  private readonly names: readonly NameToken[] | undefined;
  private compiled: Automaton | undefined;

  constructor(path: Path) {
    this.path = path;
    const [first] = path;
    this.memberName = path.length === 1 && first?.kind === 'name' ? first.name : undefined;
    this.endsInLength = path.at(-1)?.kind === 'each';
    this.walked = this.endsInLength ? beforeLength(path.slice(0, -1)) : path;
    const names = path.flatMap((segment) => (segment.kind === 'name' ? [new NameToken(segment.name)] : []));
    this.names = names.length === path.length ? names : undefined;
  }

  /**
   * The values at the path: strings as they read, numbers and booleans as they are spelt. An array counts as its
   * elements, null as nothing.
   *
   * @param node the value that the path is relative to
   * @returns nothing if the attribute is absent or null
   */
  valuesIn(doc: JsonDocument, node: Node): readonly AttributeValue[] {
    return readValues(doc, this.foundIn(doc, node));
  }

  /** The same values, not read yet. */
  foundIn(doc: JsonDocument, node: Node): readonly FoundValue[] {
    const found: FoundValue[] = [];
    const end = this.names === undefined ? undefined : endOf(doc, node, this.names);
    if (end === undefined) this.visit(doc, node, (match) => this.addTo(found, doc, match));
    else if (end !== NOWHERE) addReadings(doc, end, found);
    return found;
  }

  /** Where the path ends, if it ends at one value at most: {@link NOWHERE} if at none. */
  endIn(doc: JsonDocument, node: Node): Node | undefined {
    return this.names && endOf(doc, node, this.names);
  }

  /** Whether its path consists of names. */
  get isOfNames(): boolean {
    return this.names !== undefined;
  }

  /** Adds its values at a place to which {@link walked} leads. */
  addTo(found: FoundValue[], doc: JsonDocument, match: Node): void {
    if (this.endsInLength) addLengths(doc, match, found);
    else addReadings(doc, match, found);
  }

  /** Visits the places to which {@link walked} leads, in the order of the text. */
  visit(doc: JsonDocument, node: Node, visit: (match: Node) => void): void {
    this.compiled ??= new Automaton([this.walked]);
    visitMatches(doc, node, this.compiled.start, 'last', visit);
  }
}

/** What leads to a value of which the length is read: `[*]` is then as if more followed it. */
function beforeLength(path: Path): Path {
  const last = path.at(-1);
  return last?.kind === 'any' && last.isOfList
    ? [...path.slice(0, -1), { ...last, isBeforeLength: true }]
    : path;
}

/** The values that were found, as texts. */
export function readValues(doc: JsonDocument, found: readonly FoundValue[]): readonly AttributeValue[] {
  return found.map((value) => readValue(doc, value));
}

export function readValue(doc: JsonDocument, found: FoundValue): AttributeValue {
  return typeof found === 'string' ? found : (scalarTextAt(doc, found) ?? UNREADABLE);
}

/** The end of names, if no array is met on the way; undefined if one is, {@link NOWHERE} if they lead nowhere. */
function endOf(doc: JsonDocument, start: Node, names: readonly NameToken[]): Node | undefined {
  let node = start;
  for (const name of names) {
    const kind = kindOf(doc, node);
    if (kind === Kind.array) return undefined;
    const next = kind === Kind.object ? name.lastIn(doc, node) : undefined;
    if (next === undefined) return NOWHERE;
    node = next;
  }
  return node;
}

/** `#` after a path: the length of an array; the property named `#` of an object, which else is a list of one. */
function addLengths(doc: JsonDocument, node: Node, found: FoundValue[]): void {
  const kind = kindOf(doc, node);
  if (kind === Kind.array) found.push(String(lengthOf(doc, node)()));
  else if (kind === Kind.object && HASH.lastIn(doc, node) === undefined) found.push('1');
  else for (const value of NAMED_HASH.foundIn(doc, node)) found.push(value);
}

/** What a value reads as: an array as all that is in it, however deep, in the order of the text. */
function addReadings(doc: JsonDocument, node: Node, found: FoundValue[]): void {
  const { tape } = doc;
  if ((tape[node]! & 7) < Kind.null) {
    found.push(node);
    return;
  }
  const stop = after(doc, node);
  for (let at = node; at < stop;) {
    const kind = tape[at]! & 7;
    if (kind === Kind.array) at = firstIn(at);
    else {
      if (kind !== Kind.null) found.push(at);
      at = kind === Kind.object ? tape[at + 1]! : at + 1;
    }
  }
}

const HASH = new NameToken('#');
const NAMED_HASH = new Attribute([{ kind: 'name', name: '#' }]);
