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
import { DEEPEST_ANSWER } from '../../enforcement/index.ts';
import type { MaskedPayload } from './api.ts';

/** Gives the bytes of enforced payloads their two readers. */
export class MaskedPayloads {
  /** Has the prototype that `MaskedPayload` describes. To change that of a buffer takes longer than to make another one. */
  readonly #Bytes: new (memory: ArrayBufferLike, offset: number, length: number) => Uint8Array;

  constructor() {
    this.#Bytes = class extends Uint8Array {};
    const { prototype } = this.#Bytes;
    Object.setPrototypeOf(prototype, Buffer.prototype);
    Object.defineProperties(prototype, {
      constructor: { value: Buffer },
      text: {
        value(this: Buffer) {
          return this.toString('utf8');
        },
      },
      value: {
        value(this: Buffer) {
          return plainValueAt(scan(this, DEEPEST_ANSWER), TOP);
        },
      },
    });
  }

  /** @param bytes that nobody else has */
  from({ buffer, byteOffset, length }: Buffer): MaskedPayload {
    const masked = new this.#Bytes(buffer, byteOffset, length);
    if (this.#isMasked(masked)) return masked;
    throw new TypeError('The bytes lack their readers.');
  }

  #isMasked(bytes: Uint8Array): bytes is MaskedPayload {
    return bytes instanceof this.#Bytes;
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
