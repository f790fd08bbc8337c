import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { compilePattern, type PathPattern } from '../../../src/places/routes/path-pattern.ts';
import { PrefixIndex } from '../../../src/places/routes/prefix-index.ts';

const steps = fc.constantFrom('a', 'b', 'A', 'a*', '*', '**');
const patterns = fc.array(steps, { maxLength: 4 }).map((some) => compilePattern(`/${some.join('/')}`, false));
const paths = fc.array(fc.constantFrom('a', 'b', 'A', 'ab', ''), { maxLength: 5 });

const indexOf = (all: readonly PathPattern[]) => new PrefixIndex(all, ({ prefix }) => prefix);

test('the first of many patterns is found that takes a path, as if all were looked at in order', () => {
  fc.assert(
    fc.property(fc.array(patterns, { maxLength: 12 }), paths, (all, path) => {
      const takes = (one: PathPattern): boolean => one.matches(path, false);
      expect(indexOf(all).find(path, takes)).toBe(all.find(takes));
    }),
    { numRuns: 2000 },
  );
});

test('patterns that begin with other segments are not looked at', () => {
  const all = Array.from({ length: 1000 }, (_, at) => compilePattern(`/api/r${at}/*`, false));
  const seen: PathPattern[] = [];
  const found = indexOf(all).find(['api', 'r500', 'x'], (one) => seen.push(one) > 0);
  expect([found, seen]).toEqual([all[500], [all[500]]]);
});
