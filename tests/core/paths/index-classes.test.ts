import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { JsonDocument } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { Automaton } from '../../../src/core/paths/automaton.ts';
import { ElementStates } from '../../../src/core/paths/element-states.ts';
import { parsePath } from '../../../src/core/paths/parse.ts';
import { matchElement, type Path, type Segment } from '../../../src/core/paths/path.ts';

const EACH: Segment = { kind: 'each' };

const bound = fc.oneof(fc.integer({ min: -900, max: 900 }), fc.integer({ min: -4, max: 4 }));
const step = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 500 }));
const slice = fc
  .tuple(fc.option(bound, { nil: '' }), fc.option(bound, { nil: '' }), step)
  .map(([from, to, by]) => `$[${from}:${to}:${by}]`);
const union = fc.array(bound, { minLength: 1, maxLength: 5 }).map((indexes) => `$[${indexes.join(',')}]`);
const paths = fc.array(fc.oneof(slice, union, fc.constantFrom('$..[5]', '#', '7')), {
  minLength: 1,
  maxLength: 8,
});

const count = fc.oneof(
  fc.integer({ min: 0, max: 70 }),
  fc.integer({ min: 0, max: 1500 }),
  fc.integer({ min: 2000, max: 5000 }),
);

test('an element of an array leads where its index and the length of its array say, in any order of arrays', () => {
  fc.assert(
    fc.property(paths, fc.array(count, { minLength: 1, maxLength: 4 }), (texts, counts) => {
      expect(misled(texts, [...counts, ...counts.toReversed()])).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('an element of an array is found if more sets of paths select elements than are told apart', () => {
  const texts = Array.from({ length: 40 }, (_, index) => `$[${index}::${(index % 13) + 2}]`);
  expect(misled(texts, [9000])).toEqual([]);
});

test('arrays of many lengths are sorted by paths that count from the end in steps', () => {
  const texts = ['$[-7::3]', '$[-40::3]', '$[2:-2:3]', '$[1:-1]', '$[-3:2]', '$[-5,0]'];
  const counts = Array.from({ length: 100 }, (_, index) => index);
  expect(misled(texts, [...counts, ...counts])).toEqual([]);
});

/** The indexes of elements of arrays, after the length, that lead elsewhere than one of their paths says. */
function misled(texts: readonly string[], counts: readonly number[]): readonly string[] {
  const parsed = texts.map((text) => parsePath(text));
  const { start } = new Automaton(parsed);
  return counts.flatMap((length) => {
    const states = new ElementStates(start, arrayOf(length), 0);
    return Array.from({ length }, (_, index) => index)
      .filter((index) => {
        const expected = acceptsOf(parsed, index, length);
        const found = [states.at(index), start.element(index, () => length)];
        return found.some((state) => state?.accepts.join() !== expected);
      })
      .map((index) => `${length}: ${index}`);
  });
}

/** The paths that select an element; nothing if none leads there. */
function acceptsOf(parsed: readonly Path[], index: number, length: number): string | undefined {
  const isDescending = parsed.some(([first]) => first?.kind === 'descend');
  const accepts = parsed.flatMap((path, at) =>
    matchElement(path.at(-1) ?? EACH, index, () => length).matches ? [at] : [],
  );
  return accepts.length > 0 || isDescending ? accepts.join() : undefined;
}

function arrayOf(length: number): JsonDocument {
  return scan(Buffer.from(`[${Array.from({ length }, () => '1').join(',')}]`), 2);
}
