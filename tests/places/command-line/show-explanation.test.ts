import { expect, test } from '@jest/globals';
import { explanationLines } from '../../../src/places/command-line/show-explanation.ts';

test('what is left out of an explanation is not said to be untouched', () => {
  const nothing = { rules: [], changes: [], records: [] };
  expect(explanationLines(nothing, '/9')).toEqual(['/9: no rule is about it']);
  expect(explanationLines({ ...nothing, truncated: true }, '/9')).toEqual([
    '/9: it is not among what is explained',
    '… and more (maxExplained)',
  ]);
});
