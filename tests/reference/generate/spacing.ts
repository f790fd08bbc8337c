import * as fc from 'fast-check';
import type { Json } from '../model.ts';

const GAPS = ['', ' ', '\n', '\t', '\r\n  '];

/** The space that stands around tokens, in turn. */
export const anySpacing: fc.Arbitrary<readonly string[]> = fc.oneof(
  fc.constant(['']),
  fc.constant(['\n  ']),
  fc.array(fc.constantFrom(...GAPS), { minLength: 2, maxLength: 7 }),
);

/** Prints a value with space between its tokens. */
export function printSpaced(value: Json, gaps: readonly string[]): string {
  let turn = 0;
  const gap = (): string => gaps[(turn += 1) % gaps.length] ?? '';
  const spaced = (token: string): string => gap() + token + gap();
  const list = (open: string, entries: readonly string[], close: string): string => {
    return spaced(open) + entries.join(spaced(',')) + spaced(close);
  };
  const print = (inner: Json): string => {
    if (inner.kind === 'array')
      return list(
        '[',
        inner.items.map((item) => print(item.value)),
        ']',
      );
    if (inner.kind !== 'object') return tokenOf(inner);
    return list(
      '{',
      inner.members.map(({ spelling, value: content }) => spelling + spaced(':') + print(content)),
      '}',
    );
  };
  return print(value);
}

function tokenOf(value: Json): string {
  if (value.kind === 'string') return value.spelling;
  if (value.kind === 'number') return value.text;
  return value.kind === 'boolean' ? String(value.value) : 'null';
}
