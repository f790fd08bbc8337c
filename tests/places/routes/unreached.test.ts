import { describe, expect, test } from '@jest/globals';
import { compilePattern } from '../../../src/places/routes/path-pattern.ts';
import { routesFrom } from './written.ts';

function unreachedOf(...routes: readonly object[]): readonly string[] {
  return routesFrom({ routes }).unreached();
}

const SEGMENTS = ['a', '*', 'a*', '**'];
const NAMES = ['a', 'b', 'ab', 'axb', 'c'];

function* wordsOf<T>(alphabet: readonly T[], most: number): Generator<readonly T[]> {
  yield [];
  if (most === 0) return;
  for (const word of wordsOf(alphabet, most - 1)) for (const one of alphabet) yield [...word, one];
}

function allOf<T>(alphabet: readonly T[], most: number): readonly (readonly T[])[] {
  return [...new Map([...wordsOf(alphabet, most)].map((word) => [word.join('/'), word])).values()];
}

describe('a route that is never reached', () => {
  test.each([
    [
      [
        { path: '/**', pass: true },
        { path: '/secret', refuse: true },
      ],
      ['/secret'],
    ],
    [[{ path: '/a' }, { path: '/b' }, { path: '/a', refuse: true }], ['/a']],
    [
      [
        { path: '/a', methods: ['GET'] },
        { path: '/a', methods: ['HEAD'] },
      ],
      ['/a'],
    ],
    [
      [
        { path: '/a', methods: ['GET', 'POST'] },
        { path: '/a', methods: ['POST'] },
      ],
      ['/a'],
    ],
    [[{ path: '/a', methods: ['POST'] }, { path: '/a' }], []],
    [
      [
        { path: '/a', methods: ['POST'] },
        { path: '/a', methods: ['POST', 'PUT'] },
      ],
      [],
    ],
    [[{ path: '/a/*' }, { path: '/a/**' }], []],
    [
      [
        { path: '/secret', refuse: true },
        { path: '/**', pass: true },
      ],
      [],
    ],
    [[{ path: '/%61' }, { path: '/**' }, { path: '/a b' }], ['/a b']],
  ] as const)('is named: %j', (routes, expected) => {
    expect(unreachedOf(...routes)).toEqual(expected);
  });

  test('is one of which every path matches a pattern before it, and no other', () => {
    const patterns = allOf(SEGMENTS, 3).map((segments) => `/${segments.join('/')}`);
    const paths = allOf(NAMES, 4);
    const matched = new Map(
      patterns.map((text) => {
        const pattern = compilePattern(text);
        return [text, paths.filter((path) => pattern.matches(path))];
      }),
    );
    const differing = patterns.flatMap((first) => {
      const taken = new Set(matched.get(first));
      return patterns.filter((second) => {
        const isTaken = matched.get(second)?.every((path) => taken.has(path)) ?? false;
        return unreachedOf({ path: first }, { path: second }).includes(second) !== isTaken;
      });
    });
    expect(differing).toEqual([]);
  });
});
