import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { scan } from '../../../src/core/json/scan.ts';
import { lengthOf } from '../../../src/core/json/length.ts';
import { Automaton } from '../../../src/core/paths/automaton.ts';
import { ElementStates } from '../../../src/core/paths/element-states.ts';
import { parsePath } from '../../../src/core/paths/parse.ts';

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

test('an element of a long array leads where its index leads alone', () => {
  fc.assert(
    fc.property(paths, fc.integer({ min: 0, max: 1500 }), (texts, count) => {
      expect(misled(texts, count)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('an element of an array is found if more sets of paths select elements than are told apart', () => {
  const texts = Array.from({ length: 40 }, (_, index) => `$[${index}::${(index % 13) + 2}]`);
  expect(misled(texts, 9000)).toEqual([]);
});

/** The indexes of the elements of an array that lead elsewhere than their index does alone. */
function misled(texts: readonly string[], count: number): readonly number[] {
  const doc = scan(Buffer.from(`[${Array.from({ length: count }, () => '1').join(',')}]`), 2);
  const { start } = new Automaton(texts.map((text) => parsePath(text)));
  const states = new ElementStates(start, doc, 0);
  const length = lengthOf(doc, 0);
  return Array.from({ length: count }, (_, index) => index).filter(
    (index) => states.at(index)?.accepts.join() !== start.element(index, length)?.accepts.join(),
  );
}
