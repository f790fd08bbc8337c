import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Piece } from '../../../src/core/json/piece.ts';
import { Splicer } from '../../../src/core/json/splicer.ts';

function splicerOf(text: string): Splicer {
  const bytes = Buffer.from(text);
  return new Splicer(bytes, 0, bytes.length);
}

function result(splicer: Splicer): Buffer {
  return Buffer.concat(splicer.finish());
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
  test('replaces and cuts the given spans and leaves every other byte as it is', () => {
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
            return goes(part) ? [start, start + part.text.length] : [];
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
        expect(result(splicer).equals(Buffer.concat(expected))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('yields only the part asked for', () => {
    const splicer = new Splicer(Buffer.from('0123456789'), 3, 7);
    splicer.replace(4, 6, Piece.of('xyz'));
    expect(result(splicer).toString()).toBe('3xyz6');
  });

  test('yields the text itself, not a copy, if nothing changes', () => {
    const source = Buffer.from('0123456789');
    const parts = new Splicer(source, 3, 7).finish();
    expect(parts.map(String)).toEqual(['3456']);
    expect(parts[0]?.buffer).toBe(source.buffer);
  });

  test('inserts in the order given at one place', () => {
    const splicer = splicerOf('ab');
    splicer.replace(1, 1, Piece.of('1'));
    splicer.replace(1, 1, Piece.of('2'));
    expect(result(splicer).toString()).toBe('a12b');
  });

  test('takes only the given part of the replacement', () => {
    const splicer = splicerOf('abc');
    const piece = Piece.of('XYZ');
    piece.length = 2;
    splicer.replace(1, 2, piece);
    expect(result(splicer).toString()).toBe('aXYc');
  });

  test('may leave nothing', () => {
    const splicer = splicerOf('abc');
    splicer.cut(0, 3);
    expect(result(splicer).toString()).toBe('');
  });

  test('cuts neighbours, also before and after what is replaced', () => {
    const splicer = splicerOf('abcdefgh');
    splicer.cut(0, 1);
    splicer.cut(1, 2);
    splicer.replace(2, 3, Piece.of('C'));
    splicer.cut(3, 4);
    splicer.cut(4, 5);
    splicer.cut(6, 8);
    expect(result(splicer).toString()).toBe('Cf');
  });

  test('refuses replacements that do not come in the order of the text', () => {
    const splicer = splicerOf('abcdefgh');
    splicer.replace(4, 5, Piece.of('E'));
    expect(() => splicer.replace(3, 4, Piece.of('D'))).toThrow('order');
    expect(() => splicer.cut(0, 1)).toThrow('order');
  });

  test('writes short results next to each other, each its own', () => {
    const splicers = Array.from({ length: 50 }, (_, i) => splicerOf(`${i},${'x'.repeat(i)}`));
    for (const splicer of splicers) splicer.replace(0, 1, Piece.of('begun'));
    const results = splicers.map((splicer) => splicer.finish());
    for (const [i, chunks] of results.entries())
      expect(Buffer.concat(chunks).toString()).toBe(`begun${`${i}`.slice(1)},${'x'.repeat(i)}`);
  });

  test('grows as far as the replacements need', () => {
    const splicer = splicerOf('a,b');
    splicer.replace(0, 1, Piece.of('x'.repeat(100_000)));
    splicer.replace(2, 3, Piece.of('y'.repeat(1_000_000)));
    expect(result(splicer).toString()).toBe(`${'x'.repeat(100_000)},${'y'.repeat(1_000_000)}`);
  });

  test('writes a large text in chunks, wherever they end', () => {
    const record = '{"name":"somebody","note":"nothing"},';
    const source = Buffer.from(record.repeat(100_000));
    const splicer = new Splicer(source, 0, source.length);
    const masked = Piece.of('"***"');
    for (let i = 0; i < 100_000; i++) splicer.replace(record.length * i + 8, record.length * i + 18, masked);
    const chunks = splicer.finish();
    expect(chunks.length).toBeGreaterThan(2);
    expect(Buffer.concat(chunks).toString()).toBe('{"name":"***","note":"nothing"},'.repeat(100_000));
  });

  test('copies nothing of what is kept in one large piece', () => {
    const kept = 'x'.repeat(3_000_000);
    const splicer = splicerOf(`${kept}1${kept}2${kept}`);
    splicer.replace(3_000_000, 3_000_001, Piece.of('one'));
    splicer.replace(6_000_001, 6_000_002, Piece.of('two'));
    const parts = splicer.finish();
    expect(Buffer.concat(parts).toString()).toBe(`${kept}one${kept}two${kept}`);
    expect(parts.map((part) => part.length)).toEqual([3_000_000, 3, 3_000_000, 3, 3_000_000]);
  });

  test('refuses a replacement of what is already replaced', () => {
    const splicer = splicerOf('abc');
    splicer.replace(1, 3, Piece.of('-'));
    expect(() => splicer.replace(2, 3, Piece.of('-'))).toThrow('order of the text');
  });
});
