import { expect, test } from '@jest/globals';
import { compilePattern } from '../../../src/places/routes/path-pattern.ts';

const LENGTH = 3000;
const PATTERNS = 100;

/** How often the segments of a long path are looked at by many patterns. */
function looksAt(segments: readonly string[], patternOf: (number: number) => string): number {
  let reads = 0;
  const path = new Proxy(segments, {
    get(target, key) {
      reads++;
      return Reflect.get(target, key);
    },
  });
  for (let number = 0; number < PATTERNS; number++)
    expect(compilePattern(patternOf(number), false).matches(path, false)).toBe(false);
  return reads;
}

test.each([
  ['ends otherwise', (number: number) => `/**/a/**/b${number}`],
  ['lacks a name', (number: number) => `/**/a/**/b${number}/**/*`],
  ['has other segments than the pattern', (number: number) => `/a/a${number}/a`],
])('a long path that %s is not searched for each of many patterns', (_what, patternOf) => {
  const path = Array.from({ length: LENGTH }, () => 'a');
  expect(looksAt(path, patternOf)).toBeLessThan(4 * LENGTH);
});
