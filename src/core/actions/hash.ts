import process from 'node:process';
import { Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { Piece } from '../json/piece.ts';
import { stringAt } from '../json/text.ts';
import { MASKED_TO_NULL, UNCHANGED, type MaskResult, type CompiledAction } from './mask-result.ts';
import { bracketed } from './bracketed.ts';
import { keyFor, type MaskKey } from './mask-keys.ts';

/** How many base64url characters are kept: 132 bits. */
const LENGTH = 22;
const QUOTE = 0x22;

/** `hash(key)`: a keyed hash, so that equal values stay equal and nobody without the key can guess the original. */
export const hash = bracketed(
  'hash',
  {
    forms: ['hash(<key>)'],
    example: { action: 'hash(example)', before: '"Ann Lee"', after: '"XntvV_G23q7DNrkamtboHq"' },
    suits: 'Joining and counting by a value that nobody may read: identifiers in analytics and exports.',
    reveals:
      'Which values are equal, in every payload with this key; how often each one occurs. Who has the key can test guesses.',
  },
  (name, keys) => {
    if (name === '') return undefined;
    const key = keys.get(name);
    if (key === undefined) return { problem: 'uses a key that maskKeys of the configuration does not name' };
    return () => new Hash(key);
  },
);

class Hash implements CompiledAction {
  readonly created = undefined;
  private readonly key: MaskKey;
  /** Serves one value after another. */
  private readonly hashed = { effect: 'masked', text: new Piece(LENGTH + 2) } as const;

  constructor(key: MaskKey) {
    this.key = key;
    const { bytes } = this.hashed.text;
    bytes[0] = QUOTE;
    bytes[LENGTH + 1] = QUOTE;
  }

  apply(doc: JsonDocument, node: Node, end: number): MaskResult {
    const start = startOf(doc, node);
    switch (kindOf(doc, node)) {
      case Kind.plainString:
        return this.hash(doc, doc.bytes.subarray(start + 1, end - 1));
      case Kind.escapedString:
        return this.hash(doc, stringAt(doc, node));
      case Kind.number:
      case Kind.true:
      case Kind.false:
        return this.hash(doc, doc.bytes.subarray(start, end));
      case Kind.null:
        return UNCHANGED;
      case Kind.object:
      case Kind.array:
        return MASKED_TO_NULL;
    }
  }

  private hash(doc: JsonDocument, text: Buffer | string): MaskResult {
    const { createHmac } = process.getBuiltinModule('node:crypto');
    const digest = createHmac('sha256', keyFor(doc, this.key)).update(text).digest('base64url');
    this.hashed.text.bytes.write(digest, 1, LENGTH, 'latin1');
    return this.hashed;
  }
}
