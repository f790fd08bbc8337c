import { expect, test } from '@jest/globals';
import { RecentHashes } from '../../src/core/recent-hashes.ts';

test('a hash was met when it comes again, also a negative one', () => {
  const recent = new RecentHashes(8);
  for (const hash of [5, -5, 2 ** 31 - 1, -(2 ** 31)]) {
    expect(recent.meet(hash)).toBe(false);
    expect(recent.meet(hash)).toBe(true);
  }
});

test('another hash at the same place makes one forgotten', () => {
  const recent = new RecentHashes(8);
  recent.meet(3);
  expect(recent.meet(11)).toBe(false);
  expect(recent.meet(3)).toBe(false);
});
