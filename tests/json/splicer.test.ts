import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Splicer } from '../../src/json/splicer.ts';

function splicerOf(text: string): Splicer {
  const bytes = Buffer.from(text);
  return new Splicer(bytes, 0, bytes.length);
}

interface Piece {
  readonly text: Buffer;
  readonly replacement: Buffer | undefined;
  readonly isCut: boolean;
}

const bytes = fc.string({ maxLength: 100, unit: 'binary' }).map((text) => Buffer.from(text));

/** A text cut into pieces, some of which are to be replaced and some cut, and what comes of that. */
const pieces: fc.Arbitrary<Piece[]> = fc.array(
  fc.record({ text: bytes, replacement: fc.option(bytes, { nil: undefined }), isCut: fc.boolean() }),
  { maxLength: 12 },
);

function goes({ text, isCut }: Piece): boolean {
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
          if (!goes(part) && part.replacement)
            splicer.replace(start, start + part.text.length, part.replacement);
        }
        const expected = parts.map((part) =>
          goes(part) ? Buffer.alloc(0) : (part.replacement ?? part.text),
        );
        expect(splicer.finish().equals(Buffer.concat(expected))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('yields only the part asked for', () => {
    const splicer = new Splicer(Buffer.from('0123456789'), 3, 7);
    splicer.replace(4, 6, Buffer.from('xyz'));
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
    splicer.replace(1, 1, Buffer.from('1'));
    splicer.replace(1, 1, Buffer.from('2'));
    expect(splicer.finish().toString()).toBe('a12b');
  });

  test('takes only so much of the replacement as it is told', () => {
    const splicer = splicerOf('abc');
    splicer.replace(1, 2, Buffer.from('XYZ'), 2);
    expect(splicer.finish().toString()).toBe('aXYc');
  });

  test('may leave nothing', () => {
    const splicer = splicerOf('abc');
    splicer.replace(0, 3, Buffer.alloc(0));
    expect(splicer.finish().toString()).toBe('');
  });

  test('grows as far as the replacements need', () => {
    const splicer = splicerOf('a,b');
    splicer.replace(0, 1, Buffer.alloc(100_000, 'x'));
    splicer.replace(2, 3, Buffer.alloc(1_000_000, 'y'));
    expect(splicer.finish().toString()).toBe(`${'x'.repeat(100_000)},${'y'.repeat(1_000_000)}`);
  });

  test('refuses a replacement of what is already replaced', () => {
    const splicer = splicerOf('abc');
    splicer.replace(1, 3, Buffer.from('-'));
    expect(() => splicer.replace(2, 3, Buffer.from('-'))).toThrow('order of the text');
  });
});
