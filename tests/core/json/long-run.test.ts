import { describe, expect, test } from '@jest/globals';
import { elementsOf, endOf, firstIn, TOP } from '../../../src/core/json/document.ts';
import { isMostlyLongRuns } from '../../../src/core/json/long-run.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { JsonSyntaxError } from '../../../src/core/json/syntax-error.ts';
import { stringAt } from '../../../src/core/json/text.ts';

const LENGTH = 40_000;

/** An array of one long string, with something at one place in it. */
function textWith(inserted: string, at: number): string {
  return `["${'x'.repeat(at)}${inserted}${'y'.repeat(LENGTH - at)}"]`;
}

/** The bytes of a text, standing so many bytes behind where a word may stand. */
function bytesAt(offset: number, text: string): Buffer {
  const room = Buffer.alloc(text.length + offset);
  room.write(text, offset, 'latin1');
  return room.subarray(offset);
}

const OFFSETS = [0, 1, 2, 3];
/** Every place in two strides: at the beginning, as far as native calls begin to help, further on and at the end. */
const PLACES = [0, 490, 20_000, LENGTH - 40].flatMap((from) =>
  Array.from({ length: 40 }, (_, i) => from + i),
);

describe('long strings', () => {
  test('are taken for what they are', () => {
    expect(isMostlyLongRuns(Buffer.from(textWith('', 0)))).toBe(true);
    expect(isMostlyLongRuns(Buffer.from(`[${'"short",'.repeat(LENGTH / 8)}0]`))).toBe(false);
    expect(isMostlyLongRuns(Buffer.from(`["${'x'.repeat(1000)}"]`))).toBe(false);
  });

  test.each(OFFSETS)('are read at any offset, %i bytes after a word', (offset) => {
    for (const at of PLACES) {
      const text = textWith('\\n', at);
      const doc = scan(bytesAt(offset, text), 1);
      expect(endOf(doc, firstIn(TOP))).toBe(text.length - 1);
      expect(stringAt(doc, firstIn(TOP))).toBe(JSON.parse(text)[0]);
    }
  });

  test.each(OFFSETS)('are refused with a control character, %i bytes after a word', (offset) => {
    for (const at of PLACES) {
      expect(() => scan(bytesAt(offset, textWith('\n', at)), 1)).toThrow(
        new JsonSyntaxError('unexpected character', at + 2),
      );
    }
  });

  test('end at their quote', () => {
    for (const at of PLACES) {
      expect(() => scan(bytesAt(0, textWith('"', at)), 1)).toThrow(
        new JsonSyntaxError('unexpected character', at + 3),
      );
    }
  });

  test('are read with any number of escapes and quotes between long runs', () => {
    const runs = ['x'.repeat(900), '\u00e9'.repeat(700), '\n', '"', '\\', '\u007f', 'y'.repeat(513)];
    const texts = Array.from({ length: 200 }, (_, i) =>
      runs.map((_run, j) => runs[(i * j + i) % runs.length]).join(''),
    );
    const doc = scan(Buffer.from(JSON.stringify(texts)), 1);
    expect(Array.from(elementsOf(doc, TOP), (node) => stringAt(doc, node))).toEqual(texts);
  });

  test('that are not closed are refused', () => {
    expect(() => scan(Buffer.from(`["${'x'.repeat(LENGTH)}]`), 1)).toThrow('unexpected end');
  });
});
