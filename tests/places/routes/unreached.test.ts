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

const PATTERNS = allOf(SEGMENTS, 3).map((segments) => `/${segments.join('/')}`);
/** With a slash behind them and without one. */
const PATHS = allOf(NAMES, 4).flatMap((segments) =>
  [true, false]
    .filter((endsInSlash) => endsInSlash || segments.length > 0)
    .map((endsInSlash) => ({ segments, endsInSlash })),
);

/** The paths that each pattern matches. */
function matchedBy(passes: boolean) {
  return new Map(
    PATTERNS.map((text) => {
      const pattern = compilePattern(text, passes);
      return [text, PATHS.filter(({ segments, endsInSlash }) => pattern.matches(segments, endsInSlash))];
    }),
  );
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

  test.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])(
    'is one of which every path matches a pattern before it, and no other: passing %p, then %p',
    (firstPasses, secondPasses) => {
      const first = matchedBy(firstPasses);
      const second = matchedBy(secondPasses);
      const differing = [...first].flatMap(([before, some]) => {
        const taken = new Set(some);
        return [...second].filter(([path, matched]) => {
          const isTaken = matched.every((one) => taken.has(one));
          const unreached = unreachedOf({ path: before, pass: firstPasses }, { path, pass: secondPasses });
          return unreached.includes(path) !== isTaken;
        });
      });
      expect(differing.map(([path]) => path)).toEqual([]);
    },
  );
});
