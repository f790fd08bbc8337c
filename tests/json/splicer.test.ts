import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { NOTHING, Piece } from '../../src/json/piece.ts';
import { Splicer } from '../../src/json/splicer.ts';

function splicerOf(text: string): Splicer {
  const bytes = Buffer.from(text);
  return new Splicer(bytes, 0, bytes.length);
}

interface Part {
  readonly text: Buffer;
  readonly replacement: string | undefined;
  readonly isCut: boolean;
}

const bytes = fc.string({ maxLength: 100, unit: 'binary' }).map((text) => Buffer.from(text));

/** A text cut into pieces, some of which are to be replaced and some cut, and what comes of that. */
const pieces: fc.Arbitrary<Part[]> = fc.array(
  fc.record({
    text: bytes,
    replacement: fc.option(fc.string({ maxLength: 200 }), { nil: undefined }),
    isCut: fc.boolean(),
  }),
  { maxLength: 12 },
);

function goes({ text, isCut }: Part): boolean {
  return isCut && text.length > 0;
}

describe('splicing a text', () => {
  test('replaces and cuts what it is told and leaves every other byte as it is', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const starts = parts.map((_part, i) =>
          parts.slice(0, i).reduce((sum, { text }) => sum + text.length, 0),
        );
        const source = Buffer.concat(parts.map(({ text }) => text));
        const splicer = new Splicer(source, 0, source.length);
        splicer.announce(
          parts.flatMap((part, i) => {
            const start = starts[i] ?? 0;
            return goes(part) ? [{ start, end: start + part.text.length }] : [];
          }),
        );
        for (const [i, part] of parts.entries()) {
          const start = starts[i] ?? 0;
          if (!goes(part) && part.replacement !== undefined)
            splicer.replace(start, start + part.text.length, Piece.of(part.replacement));
        }
        const expected = parts.map((part) =>
          goes(part) ? Buffer.alloc(0) : Buffer.from(part.replacement ?? part.text),
        );
        expect(splicer.finish().equals(Buffer.concat(expected))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('yields only the part asked for', () => {
    const splicer = new Splicer(Buffer.from('0123456789'), 3, 7);
    splicer.replace(4, 6, Piece.of('xyz'));
    expect(splicer.finish().toString()).toBe('3xyz6');
  });

  test('yields the text itself, not a copy, where nothing changes', () => {
    const source = Buffer.from('0123456789');
    const part = new Splicer(source, 3, 7).finish();
    expect(part.toString()).toBe('3456');
    expect(part.buffer).toBe(source.buffer);
  });

  test('inserts in the order given at one place', () => {
    const splicer = splicerOf('ab');
    splicer.replace(1, 1, Piece.of('1'));
    splicer.replace(1, 1, Piece.of('2'));
    expect(splicer.finish().toString()).toBe('a12b');
  });

  test('takes only so much of the replacement as it is told', () => {
    const splicer = splicerOf('abc');
    const piece = Piece.of('XYZ');
    piece.length = 2;
    splicer.replace(1, 2, piece);
    expect(splicer.finish().toString()).toBe('aXYc');
  });

  test('may leave nothing', () => {
    const splicer = splicerOf('abc');
    splicer.replace(0, 3, NOTHING);
    expect(splicer.finish().toString()).toBe('');
  });

  test('grows as far as the replacements need', () => {
    const splicer = splicerOf('a,b');
    splicer.replace(0, 1, Piece.of('x'.repeat(100_000)));
    splicer.replace(2, 3, Piece.of('y'.repeat(1_000_000)));
    expect(splicer.finish().toString()).toBe(`${'x'.repeat(100_000)},${'y'.repeat(1_000_000)}`);
  });

  test('refuses a replacement of what is already replaced', () => {
    const splicer = splicerOf('abc');
    splicer.replace(1, 3, Piece.of('-'));
    expect(() => splicer.replace(2, 3, Piece.of('-'))).toThrow('order of the text');
  });
});
