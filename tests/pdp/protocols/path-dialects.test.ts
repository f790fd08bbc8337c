import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { dialectOf, OWN_DIALECT } from '../../../src/pdp/policies/path-dialects.ts';
import { isPath } from '../../support/is-path.ts';

const PIECES = [
  'a',
  'é',
  '.',
  ' ',
  '\t',
  '\v',
  '\u00A0',
  '\uFEFF',
  '[',
  ']',
  ',',
  '/',
  '@',
  '$',
  '$.',
  '$[',
  '\\',
  '\\.',
  '#',
  '*',
  '-',
  "'",
  '`',
  '\u00AD',
  '\u200B',
  '\u2060',
];

test('the pattern for the chart takes the paths that are in no other dialect, and no others', () => {
  // Go writes it in braces.
  const pattern = new RegExp(OWN_DIALECT.replaceAll(String.raw`\x{FEFF}`, String.raw`\uFEFF`), 'u');
  const paths = fc
    .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(paths.filter(isPath), (path) => {
      expect([path, pattern.test(path)]).toEqual([path, dialectOf(path) === undefined]);
    }),
    { numRuns: 2000 },
  );
});
