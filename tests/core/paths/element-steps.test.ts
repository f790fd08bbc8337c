import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Comparison } from '../../../src/core/conditions/comparison.ts';
import { ElementSteps } from '../../../src/core/paths/element-steps.ts';
import { NO_TEXTS } from '../../../src/core/paths/name-classes.ts';
import { parsePath } from '../../../src/core/paths/parse.ts';
import { dependsOnIndex, matchElement } from '../../../src/core/paths/path.ts';
import type { ElementStep } from '../../../src/core/paths/route.ts';

const bound = fc.oneof(fc.integer({ min: -90, max: 150 }), fc.integer({ min: -4, max: 4 }));
const slice = fc
  .tuple(fc.option(bound, { nil: '' }), fc.option(bound, { nil: '' }), fc.integer({ min: 1, max: 9 }))
  .map(([from, to, by]) => `$[${from}:${to}:${by}]`);
const union = fc.array(bound, { minLength: 1, maxLength: 3 }).map((indexes) => `$[${indexes.join(',')}]`);
const selecting = fc.oneof(slice, union, fc.constantFrom('7', '70', '$[*,3]'));
const beginnings = fc.option(fc.array(fc.nat({ max: 150 }).map(String), { minLength: 1, maxLength: 3 }), {
  nil: undefined,
});

test('elements that share a step are selected alike, and alike in the text of a path', () => {
  fc.assert(
    fc.property(
      fc.array(selecting, { maxLength: 4 }),
      beginnings,
      fc.integer({ min: 1, max: 150 }),
      (paths, starts, count) => {
        const segments = paths.flatMap((path) => parsePath(path)).filter(dependsOnIndex);
        const elements = new ElementSteps(segments, starts && { ...NO_TEXTS, starts });
        const length = () => count;
        const outcomeOf = ({ index, length: own }: ElementStep) => [
          segments.map((segment) => matchElement(segment, index, () => own).matches),
          starts && startsOf(starts, `${index}.a`),
        ];
        const classes = elements.classes.inArray(length);
        for (let index = 0; index < count; index++) {
          const expected = outcomeOf({ index, length: count });
          expect(outcomeOf(elements.stepOf(classes.at(index), index, length))).toEqual(expected);
        }
      },
    ),
    { numRuns: 300 },
  );
});

function startsOf(values: readonly string[], path: string): boolean {
  return new Comparison({ relation: 'startsWith', negated: false }, 'STRING', values, false).fits(path);
}

function manyElements(): number {
  return 100_000;
}

test('the elements of a long array share few steps', () => {
  const elements = new ElementSteps(parsePath('$[0:100000:2]'), { ...NO_TEXTS, starts: ['1', '25'] });
  const classes = elements.classes.inArray(manyElements);
  const indexes = Array.from({ length: 100_000 }, (_, index) => index);
  const steps = indexes.map((index) => elements.stepOf(classes.at(index), index, manyElements));
  expect(new Set(steps).size).toBeLessThan(100);
});
