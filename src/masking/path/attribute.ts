import { elementsOf, Kind, kindOf, type Located, type Node } from '../../json/located.ts';
import { scalarTextAt } from '../../json/text.ts';
import { Automaton } from './automaton.ts';
import type { Path } from './path.ts';
import { lengthOf, visitMatches } from './select.ts';

/** A value that is there but is no scalar: nothing that a condition names fits it. */
export const UNREADABLE: unique symbol = Symbol('unreadable');
export type AttributeValue = string | typeof UNREADABLE;

/** An attribute of a record, read by a path (enforcement §3, "Reading"). */
export class Attribute {
  private readonly automaton: Automaton;
  private readonly endsInLength: boolean;

  constructor(path: Path) {
    this.endsInLength = path.at(-1)?.kind === 'each';
    this.automaton = new Automaton([this.endsInLength ? path.slice(0, -1) : path]);
  }

  /**
   * What stands at the path: strings as they read, numbers and booleans as they are spelt. An array stands for its
   * elements, null for nothing.
   *
   * @param node the value that the path is relative to
   * @returns nothing where the attribute is absent or null
   */
  valuesIn(doc: Located, node: Node): AttributeValue[] {
    const values: AttributeValue[] = [];
    visitMatches(doc, node, this.automaton.start, 'last', (match) => {
      values.push(...(this.endsInLength ? lengths(doc, match) : readings(doc, match)));
    });
    return values;
  }
}

/** `#` behind a path: the length of an array, the property named `#` of an object. */
function lengths(doc: Located, node: Node): Iterable<AttributeValue> {
  if (kindOf(doc, node) === Kind.array) return [String(lengthOf(doc, node)())];
  return NAMED_HASH.valuesIn(doc, node);
}

function* readings(doc: Located, node: Node): Generator<AttributeValue> {
  const kind = kindOf(doc, node);
  if (kind === Kind.array) for (const element of elementsOf(doc, node)) yield* readings(doc, element);
  else if (kind !== Kind.null) yield scalarTextAt(doc, node) ?? UNREADABLE;
}

const NAMED_HASH = new Attribute([{ kind: 'name', name: '#' }]);
