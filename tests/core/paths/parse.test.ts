import { describe, expect, test } from '@jest/globals';
import { parsePath } from '../../../src/core/paths/parse.ts';
import { PathSyntaxError } from '../../../src/core/paths/syntax-error.ts';

describe('a dotted path', () => {
  test.each([
    [
      'a.b',
      [
        { kind: 'name', name: 'a' },
        { kind: 'name', name: 'b' },
      ],
    ],
    ['a\\.b', [{ kind: 'name', name: 'a.b' }]],
    ['a.#.b', [{ kind: 'name', name: 'a' }, { kind: 'each' }, { kind: 'name', name: 'b' }]],
    ['\\#', [{ kind: 'name', name: '#' }]],
    ['#text', [{ kind: 'name', name: '#text' }]],
    [
      'p.10',
      [
        { kind: 'name', name: 'p' },
        { kind: 'index', index: 10, name: '10' },
      ],
    ],
    [
      'p.\\10',
      [
        { kind: 'name', name: 'p' },
        { kind: 'name', name: '10' },
      ],
    ],
    ['\\$ref', [{ kind: 'name', name: '$ref' }]],
    ['\\\\', [{ kind: 'name', name: '\\' }]],
    [' a ', [{ kind: 'name', name: ' a ' }]],
  ])('%s is read', (text, expected) => {
    expect(parsePath(text)).toEqual(expected);
  });

  test.each(['', '.', 'a.', '.a', 'a..b', 'a\\', 'a.#(x=="y").b', 'x'.repeat(5000)])(
    '%j is refused',
    (text) => {
      expect(() => parsePath(text)).toThrow(PathSyntaxError);
    },
  );

  test.each(['a', '*', '\\a', '#'])('has at most 512 segments, such as %j', (segment) => {
    const path = (count: number): string => Array.from({ length: count }, () => segment).join('.');
    expect(parsePath(path(512))).toHaveLength(512);
    expect(() => parsePath(path(513))).toThrow('more segments than are allowed');
  });
});

describe('a JSONPath', () => {
  test.each([
    ['$', []],
    ['$.a', [{ kind: 'name', name: 'a' }]],
    ["$['a.b']", [{ kind: 'name', name: 'a.b' }]],
    ["$['it\\'s']", [{ kind: 'name', name: "it's" }]],
    ['$["*"]', [{ kind: 'name', name: '*' }]],
    [
      '$.a[2]',
      [
        { kind: 'name', name: 'a' },
        { kind: 'index', index: 2, name: '2' },
      ],
    ],
    [
      '$.a[-1]',
      [
        { kind: 'name', name: 'a' },
        { kind: 'slice', from: -1, to: Infinity, step: 1 },
      ],
    ],
    ['$[-2]', [{ kind: 'slice', from: -2, to: -1, step: 1 }]],
    ['$[*]', [{ kind: 'any', isOfList: true }]],
    ['$..a', [{ kind: 'descend' }, { kind: 'name', name: 'a' }]],
    ['$..*', [{ kind: 'descend' }, { kind: 'any', isOfList: false }]],
    ['$..[1]', [{ kind: 'descend' }, { kind: 'index', index: 1, name: '1' }]],
    ['$[1:]', [{ kind: 'slice', from: 1, to: Infinity, step: 1 }]],
    ['$[:-1:2]', [{ kind: 'slice', from: 0, to: -1, step: 2 }]],
    [
      "$['a', 'b']",
      [
        {
          kind: 'union',
          of: [
            { kind: 'name', name: 'a' },
            { kind: 'name', name: 'b' },
          ],
        },
      ],
    ],
  ])('%s is read', (text, expected) => {
    expect(parsePath(text)).toEqual(expected);
  });

  test.each([
    '$.',
    '$.a[',
    '$.a[]',
    '$.a]',
    "$['a",
    '$..',
    '$...a',
    '$[?(@.a)]',
    '$[?@.a]',
    '$[(@.length-1)]',
    '$.a^',
    '$.a~',
    '$.a@string()',
    '$[::0]',
    '$[-0]',
    String.raw`$['\uZZ']`,
    '$.constructor.constructor("return process")()',
  ])('%s is refused: nothing in a path is run', (text) => {
    expect(() => parsePath(text)).toThrow(PathSyntaxError);
  });
});
