import { after, firstIn, isContainer, Kind, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import { scalarTextAt } from '../json/text.ts';
import { Automaton } from './automaton.ts';
import type { Path } from './path.ts';
import { NameToken } from './name-token.ts';
import { lengthOf, visitMatches } from './select.ts';

/** A value that is there but is no scalar: nothing that a condition names fits it. */
export const UNREADABLE: unique symbol = Symbol('unreadable');
export type AttributeValue = string | typeof UNREADABLE;

/** An attribute of a record, read by a path (docs/path-syntax.md). */
export class Attribute {
  private readonly path: Path;
  private readonly endsInLength: boolean;
  /** The names to follow, if the path consists of names: objects are then searched for them alone. */
  private readonly names: readonly NameToken[] | undefined;
  private compiled: Automaton | undefined;

  constructor(path: Path) {
    this.endsInLength = path.at(-1)?.kind === 'each';
    this.path = this.endsInLength ? path.slice(0, -1) : path;
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
    const found = this.scalarIn(doc, node);
    return found === undefined ? this.walk(doc, node) : readScalar(doc, found);
  }

  /** The one scalar that the attribute is; undefined if it may be anything else, or more than one. */
  scalarIn(doc: JsonDocument, node: Node): Node | undefined {
    return this.names && follow(doc, node, this.names);
  }

  private walk(doc: JsonDocument, node: Node): AttributeValue[] {
    this.compiled ??= new Automaton([this.path]);
    const values: AttributeValue[] = [];
    visitMatches(doc, node, this.compiled.start, 'last', (match) => {
      if (this.endsInLength) for (const length of lengths(doc, match)) values.push(length);
      else addReadings(doc, match, values);
    });
    return values;
  }
}

/** The scalar at the end of names; undefined if they end elsewhere or meet an array on the way. */
function follow(doc: JsonDocument, start: Node, names: readonly NameToken[]): Node | undefined {
  let node = start;
  for (const name of names) {
    const next = kindOf(doc, node) === Kind.object ? name.lastIn(doc, node) : undefined;
    if (next === undefined) return undefined;
    node = next;
  }
  return isContainer(kindOf(doc, node)) ? undefined : node;
}

function readScalar(doc: JsonDocument, node: Node): readonly AttributeValue[] {
  const text = scalarTextAt(doc, node);
  return text === undefined ? [] : [text];
}

/** `#` after a path: the length of an array; the property named `#` of an object, which else is a list of one. */
function lengths(doc: JsonDocument, node: Node): Iterable<AttributeValue> {
  const kind = kindOf(doc, node);
  if (kind === Kind.array) return [String(lengthOf(doc, node)())];
  if (kind === Kind.object && HASH.lastIn(doc, node) === undefined) return ['1'];
  return NAMED_HASH.valuesIn(doc, node);
}

/** What a value reads as: an array as all that is in it, however deep, in the order of the text. */
function addReadings(doc: JsonDocument, node: Node, values: AttributeValue[]): void {
  const stop = after(doc, node);
  for (let at = node; at < stop;) {
    const kind = kindOf(doc, at);
    if (kind === Kind.array) {
      at = firstIn(at);
      continue;
    }
    if (kind !== Kind.null) values.push(scalarTextAt(doc, at) ?? UNREADABLE);
    at = after(doc, at);
  }
}

const HASH = new NameToken('#');
const NAMED_HASH = new Attribute([{ kind: 'name', name: '#' }]);
