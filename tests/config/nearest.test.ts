import { expect, test } from '@jest/globals';
import { nearest } from '../../src/nearest.ts';

test.each([
  ['kitten', ['mitten', 'sitting'], 'mitten'],
  ['port', ['host', 'port'], 'port'],
  ['PORT', ['host', 'port'], 'port'],
  ['', ['filter', 'host'], 'host'],
  ['pdpTimout', ['pdpTokenPath', 'pdpTimeout'], 'pdpTimeout'],
  ['ab', ['xb', 'ax'], 'xb'],
])('the nearest to %j of %j is %s', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});

test('nothing is nearest where there is nothing', () => {
  expect(nearest('port', [])).toBeUndefined();
});
