import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { PATH_PATTERN } from '../../../src/places/enforce-api/openapi/path-pattern.ts';
import { parsePath } from '../../../src/core/paths/parse.ts';
import { PathSyntaxError } from '../../../src/core/paths/syntax-error.ts';

const TOKENS = [
  'a',
  'b1',
  '0',
  '-1',
  '#',
  '#(',
  ')',
  '*',
  '?',
  '.',
  '..',
  '\\',
  '$',
  '[',
  ']',
  '[*]',
  ':',
].concat(['::0', ',', "'", '"', "'x'", '"y\\""', ' ', '@', '\n', 'é', '😀', '`', '(', '^']);
const token = fc.constantFrom(...TOKENS);
const pathLike = fc.oneof(
  fc.array(token, { maxLength: 8 }).map((tokens) => tokens.join('')),
  fc.array(token, { maxLength: 8 }).map((tokens) => `$${tokens.join('')}`),
  fc.string({ maxLength: 8, unit: 'binary' }),
);

test('the pattern of paths in the description takes exactly the paths that a request may have', () => {
  const pattern = new RegExp(PATH_PATTERN, 'u');
  fc.assert(
    fc.property(pathLike, (text) => {
      expect(pattern.test(text)).toBe(isPath(text));
    }),
    { numRuns: 5000 },
  );
});

function isPath(text: string): boolean {
  try {
    parsePath(text);
    return true;
  } catch (error) {
    if (error instanceof PathSyntaxError) return false;
    throw error;
  }
}
