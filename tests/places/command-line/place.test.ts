import { expect, test } from '@jest/globals';
import { scan } from '../../../src/core/index.ts';
import { hasPlace } from '../../../src/places/command-line/place.ts';

test.each([
  ['/~01', true],
  ['/~1', false],
  ['/~0', false],
])('a payload with the name ~1 has the place %s: %s', (pointer, isThere) => {
  expect(hasPlace(scan(Buffer.from('{"~1":0}'), 64), pointer)).toBe(isThere);
});

test.each([
  ['/1', true],
  ['/2', false],
  ['/01', false],
  ['/-', false],
  [`/${'9'.repeat(400)}`, false],
])('a list of two elements has the place %s: %s', (pointer, isThere) => {
  expect(hasPlace(scan(Buffer.from('[0,1]'), 64), pointer)).toBe(isThere);
});
