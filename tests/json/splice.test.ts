import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { splice, type Edit } from '../../src/json/edits.ts';

function edit(start: number, end: number, text: string): Edit {
  return { start, end, text: Buffer.from(text) };
}

function spliced(text: string, edits: readonly Edit[]): string {
  const bytes = Buffer.from(text);
  return splice(bytes, 0, bytes.length, edits).toString();
}

/** A text cut into pieces, some of which are to be replaced, and what comes of that. */
const pieces = fc.array(
  fc.record({
    text: fc.string({ maxLength: 100 }).map((text) => Buffer.from(text)),
    replacement: fc.option(
      fc.string({ maxLength: 100 }).map((text) => Buffer.from(text)),
      { nil: undefined },
    ),
  }),
  { maxLength: 12 },
);

describe('splicing edits into a text', () => {
  test('replaces what each covers and leaves every other byte as it is', () => {
    fc.assert(
      fc.property(pieces, fc.infiniteStream(fc.integer()), (parts, random) => {
        const edits: (Edit & { readonly order: number })[] = [];
        let at = 0;
        for (const { text, replacement } of parts) {
          const start = at;
          at += text.length;
          // Two edits at one place count in the order given, so only those that cover something are shuffled.
          if (replacement && text.length > 0) {
            edits.push({ start, end: at, text: replacement, order: random.next().value ?? 0 });
          }
        }
        const bytes = Buffer.concat(parts.map(({ text }) => text));
        const expected = parts.map(({ text, replacement }) =>
          text.length > 0 ? (replacement ?? text) : text,
        );
        const shuffled = edits.toSorted((a, b) => a.order - b.order);
        expect(splice(bytes, 0, bytes.length, shuffled)).toEqual(Buffer.concat(expected));
      }),
      { numRuns: 2000 },
    );
  });

  test('yields only the part asked for', () => {
    const bytes = Buffer.from('0123456789');
    expect(splice(bytes, 3, 7, [edit(4, 6, 'xyz')]).toString()).toBe('3xyz6');
    expect(splice(bytes, 3, 7, []).toString()).toBe('3456');
  });

  test('inserts in the order given at one place', () => {
    expect(spliced('ab', [edit(1, 1, '1'), edit(1, 1, '2')])).toBe('a12b');
    expect(spliced('ab', [edit(2, 2, 'end'), edit(1, 1, '1'), edit(1, 1, '2'), edit(0, 0, 'start')])).toBe(
      'starta12bend',
    );
  });

  test('inserts before what is replaced at the same place', () => {
    expect(spliced('abc', [edit(1, 2, 'B'), edit(1, 1, '-'), edit(0, 0, '')])).toBe('a-Bc');
  });

  test('may leave nothing', () => {
    expect(spliced('abc', [edit(0, 3, '')])).toBe('');
  });

  test('changes neither the text nor the list of edits', () => {
    const bytes = Buffer.from('abc');
    const edits = Object.freeze([edit(2, 3, 'C'), edit(0, 1, 'A')]);
    expect(splice(bytes, 0, 3, edits).toString()).toBe('AbC');
    expect(bytes.toString()).toBe('abc');
  });
});
