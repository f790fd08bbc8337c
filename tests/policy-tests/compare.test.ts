import { expect, test } from '@jest/globals';
import type { JsonValue } from '../../src/core/index.ts';
import { isSame } from '../../src/policy-tests/compare.ts';

test.each<[JsonValue, JsonValue, boolean]>([
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{}, { a: null }, false],
  [{ a: null }, {}, false],
  [[], {}, false],
  [[1], [1, null], false],
  [{ a: [{}] }, { a: [{ b: null }] }, false],
  [1, 1.0, true],
  [1, '1', false],
])('%j and %j are the same: %j', (one, other, expected) => {
  expect(isSame(one, other)).toBe(expected);
});
