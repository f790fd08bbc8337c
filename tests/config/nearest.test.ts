import { expect, test } from '@jest/globals';
import { nearest } from '../../src/nearest.ts';

test.each([
  ['kitten', ['mitten', 'sitting'], 'mitten'],
  ['port', ['host', 'port'], 'port'],
  ['PORT', ['host', 'port'], 'port'],
  ['pdpTimout', ['pdpTokenPath', 'pdpTimeout'], 'pdpTimeout'],
  ['ab', ['xb', 'ax'], 'xb'],
  ['prot', ['host', 'port'], 'port'],
])('the nearest to %j of %j is %s', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});

test.each([
  ['port', []],
  ['', ['ab', 'host']],
  ['ab', ['xy']],
  ['root', ['port', 'host', 'rootWord']],
  ['colour', ['format', 'filter']],
  ['x'.repeat(1_000_000), ['port']],
])('nothing is near %#', (word, candidates) => {
  expect(nearest(word, candidates)).toBeUndefined();
});
