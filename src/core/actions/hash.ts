import { createHmac } from 'node:crypto';
import { bracketed } from './bracketed.ts';
import { scalarMask } from './scalar-mask.ts';
import type { MaskKey } from './mask-keys.ts';

/** How many base64url characters are kept: 132 bits. */
const LENGTH = 22;

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
    if (key === undefined) return { problem: 'uses a key that maskKeys does not name' };
    const quoted = (text: string): string => `"${hashed(text, key)}"`;
    return scalarMask({ text: (text) => hashed(text, key), number: quoted, boolean: quoted });
  },
);

function hashed(text: string, { current }: MaskKey): string {
  return createHmac('sha256', current).update(text).digest('base64url').slice(0, LENGTH);
}
