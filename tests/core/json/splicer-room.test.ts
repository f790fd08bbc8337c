import { describe, expect, test } from '@jest/globals';
import { Piece } from '../../../src/core/json/piece.ts';
import { Splicer, TooLongError } from '../../../src/core/json/splicer.ts';

const SOURCE = Buffer.from('x'.repeat(1000));

/** Puts a piece in the place of each byte, and says how much memory was asked for. */
function grown(
  limit: number,
  piece: Piece,
): { readonly reserved: number; readonly length: number | 'too long' } {
  let reserved = 0;
  const reserve = (bytes: number): void => {
    reserved = Math.max(reserved, bytes);
  };
  const splicer = new Splicer(SOURCE, 0, SOURCE.length, { limit, reserve });
  try {
    for (let at = 0; at < SOURCE.length; at++) splicer.replace(at, at + 1, piece);
    return { reserved, length: Buffer.concat(splicer.finish()).length };
  } catch (error) {
    if (error instanceof TooLongError) return { reserved, length: 'too long' };
    throw error;
  }
}

describe('the room of a result', () => {
  test('lets through what just fits', () => {
    expect(grown(10_000, Piece.of('0123456789')).length).toBe(10_000);
  });

  test('refuses one byte more', () => {
    expect(grown(9999, Piece.of('0123456789')).length).toBe('too long');
  });

  test('counts what stays of a large text', () => {
    const source = Buffer.alloc(200_000, 'x');
    const [fits, exceeds] = [200_000, 199_999].map((limit) => {
      const splicer = new Splicer(source, 0, source.length, { limit, reserve: () => undefined });
      splicer.replace(0, 1, Piece.of('y'));
      return splicer;
    });
    expect(Buffer.concat(fits?.finish() ?? [])).toHaveLength(200_000);
    expect(() => exceeds?.finish()).toThrow(TooLongError);
  });

  test('refuses a piece before memory is requested for it', () => {
    const { reserved, length } = grown(1_000_000, Piece.of('m'.repeat(600_000)));
    expect(length).toBe('too long');
    expect(reserved).toBeLessThanOrEqual(1_000_000);
  });

  test('is announced before memory is requested, with no less than the result takes', () => {
    const { reserved, length } = grown(Infinity, Piece.of('m'.repeat(5000)));
    expect(length).toBe(5_000_000);
    expect(reserved).toBeGreaterThanOrEqual(5_000_000);
  });

  test('stops a request whose answer no longer has room among those in flight', () => {
    const splicer = new Splicer(SOURCE, 0, SOURCE.length, {
      limit: Infinity,
      reserve: () => {
        throw new RangeError('no room');
      },
    });
    expect(() => splicer.replace(0, 1, Piece.of('y'))).toThrow('no room');
  });
});
