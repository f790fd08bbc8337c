import { beforeEach, expect, test } from '@jest/globals';
import { WeighedCache } from '../../src/enforcement/weighed-cache.ts';

interface Growing {
  weight: number;
}

let cache: WeighedCache<Growing>;

beforeEach(() => {
  cache = new WeighedCache({ max: 3, maxWeight: 100, weightOf: ({ weight }) => weight });
});

function kept(): readonly string[] {
  return Array.from(cache.entries(), ([key]) => key).toSorted();
}

test('what was not used for longest is forgotten if there are too many', () => {
  for (const key of ['a', 'b', 'c']) cache.set(key, { weight: 1 });
  cache.get('a');
  cache.set('d', { weight: 1 });
  expect(kept()).toEqual(['a', 'c', 'd']);
});

test('what was not used for longest is forgotten if one that was used has grown too heavy for all', () => {
  const growing = { weight: 10 };
  cache.set('a', { weight: 40 });
  cache.set('b', growing);
  cache.set('c', { weight: 40 });
  growing.weight = 50;
  cache.weigh('b', growing);
  expect(kept()).toEqual(['b', 'c']);
  expect(cache.get('b')).toBe(growing);
});

test('what has grown too heavy alone is forgotten, and the others stay', () => {
  const growing = { weight: 10 };
  cache.set('a', { weight: 40 });
  cache.set('b', growing);
  growing.weight = 101;
  cache.weigh('b', growing);
  expect(kept()).toEqual(['a']);
  cache.set('c', { weight: 101 });
  expect(kept()).toEqual(['a']);
});

test('a value may weigh less than a byte', () => {
  cache.set('a', { weight: 0.25 });
  expect(kept()).toEqual(['a']);
});

test('a value that is no longer that of its key is not kept again by weighing it', () => {
  const [before, now] = [{ weight: 10 }, { weight: 10 }];
  cache.set('a', before);
  cache.set('a', now);
  before.weight = 50;
  cache.weigh('a', before);
  expect(cache.get('a')).toBe(now);
  cache.delete('a');
  now.weight = 50;
  cache.weigh('a', now);
  expect(cache.has('a')).toBe(false);
});
