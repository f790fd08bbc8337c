import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseConfiguration } from '../../src/config/load.ts';
import { problemsIn } from './problems.ts';

const BASE = 'port: 1\npdpUrl: pdp:1\n';

describe('maskKeys', () => {
  test('has paths relative to the folder of the configuration', () => {
    const file = path.resolve('/etc/service/config.yaml');
    const { maskKeys } = parseConfiguration(`${BASE}maskKeys: { a: { file: keys/a } }`, { file });
    expect(maskKeys).toEqual({ a: { file: path.resolve('/etc/service/keys/a') } });
  });

  test.each([
    [
      'maskKeys: x',
      'line 3: maskKeys must be a map of names, each with a map with the key file, but is a string',
    ],
    ['maskKeys: { a: x }', 'line 3: maskKeys.a must be a map with the key file, but is a string'],
    ['maskKeys: { a: {} }', 'line 3: maskKeys.a.file is required and must be a non-empty string'],
    [
      'maskKeys: { a: { file: 5 } }',
      'line 3: maskKeys.a.file must be a non-empty string, but is a number; put it in quotes',
    ],
    [
      'maskKeys: { a: { flie: x, file: y } }',
      'line 3: maskKeys.a.flie is not a known key; the nearest one is maskKeys.a.file',
    ],
    [
      'maskKeys: { "a b": { file: x } }',
      'line 3: maskKeys.a b must be a name of at most 100 letters, digits, - and _ that begins with a letter or digit',
    ],
  ])('is refused: %s', (text, problem) => {
    expect(problemsIn(BASE + text)).toEqual([problem]);
  });
});
