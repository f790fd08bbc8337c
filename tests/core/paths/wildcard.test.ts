import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parsePath } from '../../../src/core/paths/parse.ts';
import { matchesName } from '../../../src/core/paths/path.ts';

function matches(pattern: string, name: string): boolean {
  const [segment, ...others] = parsePath(pattern);
  if (!segment || others.length > 0) throw new Error('one segment is expected');
  return matchesName(segment, name);
}

describe('a wildcard', () => {
  test.each([
    ['*', '', true],
    ['*', 'anything', true],
    ['a*', 'a', true],
    ['a*', 'ba', false],
    ['*a', 'aaa', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['?', 'a', true],
    ['?', '', false],
    ['?', 'ab', false],
    ['?', '👍', true],
    ['a?c', 'abc', true],
    ['a\\*?', 'a*b', true],
    ['a\\*?', 'abb', false],
    ['*.x'.replace('.', '\\.'), 'a.x', true],
    ['*__proto__', '__proto__', true],
  ])('%s matches %j: %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  test('matches what the same pattern as a regular expression matches', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 8 });
    const names = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    fc.assert(
      fc.property(letters, names, (pattern, name) => {
        const expression = pattern.replaceAll('*', '.*').replaceAll('?', '.');
        expect(matches(pattern, name)).toBe(new RegExp(`^${expression}$`, 'u').test(name));
      }),
      { numRuns: 3000 },
    );
  });

  test('is decided for a long name and a pattern made to go astray', () => {
    expect(matches('*a'.repeat(20) + 'b', 'a'.repeat(100_000))).toBe(false);
  });

  test.each([
    [`*${'a'.repeat(2000)}b`, false],
    [`*${'a'.repeat(2000)}*b*`, false],
    [`*${'?a'.repeat(100)}b*`, false],
    [`*${'a'.repeat(1000)}*`, true],
  ])('is decided for a name of a million characters: pattern %#', (pattern, expected) => {
    expect(matches(pattern, 'a'.repeat(1_000_000))).toBe(expected);
  });

  test('fits what going back would find, for any pattern and name', () => {
    const character = fc.constantFrom('a', 'b', '😀');
    const token = fc.constantFrom('a', 'b', '😀', '*', '*', '?');
    fc.assert(
      fc.property(fc.array(token, { minLength: 1 }), fc.array(character), (tokens, name) => {
        if (!tokens.some((one) => one === '*' || one === '?')) return;
        expect(matches(tokens.join(''), name.join(''))).toBe(naive(tokens, name));
      }),
      { numRuns: 3000 },
    );
  });
});

/** Tries everything. */
function naive(tokens: readonly string[], name: readonly string[]): boolean {
  const [token, ...others] = tokens;
  if (token === undefined) return name.length === 0;
  if (token === '*') return naive(others, name) || (name.length > 0 && naive(tokens, name.slice(1)));
  return name.length > 0 && (token === '?' || token === name[0]) && naive(others, name.slice(1));
}
