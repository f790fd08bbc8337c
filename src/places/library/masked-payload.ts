import {
  elementsOf,
  Kind,
  kindOf,
  namesOf,
  rawAt,
  scan,
  stringAt,
  TOP,
  valueOf,
  type JsonDocument,
  type Node,
} from '../../core/index.ts';
import type { MaskedPayload } from './api.ts';

/** Gives the bytes of an enforced payload its two readers. */
export function maskedPayload(bytes: Buffer, maxDepth: number): MaskedPayload {
  addReaders(bytes, maxDepth);
  return bytes;
}

function addReaders(bytes: Buffer, maxDepth: number): asserts bytes is MaskedPayload {
  Object.defineProperties(bytes, {
    text: { value: () => bytes.toString('utf8') },
    value: { value: () => plainValueAt(scan(bytes, maxDepth), TOP) },
  });
}

/** A value as `JSON.parse` would read it; a name may be `__proto__`. */
function plainValueAt(doc: JsonDocument, node: Node): unknown {
  const kind = kindOf(doc, node);
  if (kind === Kind.object) return plainObjectAt(doc, node);
  if (kind === Kind.array) return Array.from(elementsOf(doc, node), (element) => plainValueAt(doc, element));
  if (kind === Kind.number) return Number(rawAt(doc, node));
  if (kind === Kind.null) return null;
  return kind === Kind.true || kind === Kind.false ? kind === Kind.true : stringAt(doc, node);
}

function plainObjectAt(doc: JsonDocument, node: Node): object {
  const entries = Array.from(namesOf(doc, node), (name): [string, unknown] => [
    stringAt(doc, name),
    plainValueAt(doc, valueOf(name)),
  ]);
  return Object.fromEntries(entries);
}
