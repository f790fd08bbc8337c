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

/** Gives the bytes of enforced payloads their two readers. */
export class MaskedPayloads {
  readonly #prototype: object;

  /** @param maxDepth how deep payloads nest at most */
  constructor(maxDepth: number) {
    this.#prototype = Object.create(Buffer.prototype, {
      text: {
        value(this: Buffer) {
          return this.toString('utf8');
        },
      },
      value: {
        value(this: Buffer) {
          return plainValueAt(scan(this, maxDepth), TOP);
        },
      },
    });
  }

  /** @param bytes that nobody else has */
  from(bytes: Buffer): MaskedPayload {
    this.#addReaders(bytes);
    return bytes;
  }

  #addReaders(bytes: Buffer): asserts bytes is MaskedPayload {
    Object.setPrototypeOf(bytes, this.#prototype);
  }
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
