import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readPath } from '../../../src/places/routes/request-path.ts';

/** Of the head of a request. */
const LONGEST = 16_384;
/** What servers read in different ways, and what is long. */
const PARTS = [
  'a',
  '+',
  '.',
  '..',
  '',
  '%20',
  '%C2%A0',
  ';v',
  '%3F',
  '%2563',
  '%EF%BC%A1',
  'x.',
  '%2B',
  '%23z',
];
const parts = fc.array(fc.constantFrom(...PARTS, ...PARTS.map((part) => part.repeat(40))), { maxLength: 4 });
const paths = fc
  .tuple(
    fc.constantFrom('/', '//host/'),
    fc.array(parts, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(0, 10, 30, 100, 1000),
    fc.array(parts, { maxLength: 3 }),
  )
  .map(([start, repeated, count, last]) =>
    `${start}${textOf(repeated)}/${`${textOf(repeated)}/`.repeat(count)}${textOf(last)}`.slice(0, LONGEST),
  );

function textOf(segments: readonly (readonly string[])[]): string {
  return segments.map((some) => some.join('')).join('/');
}

test('what a path may be read as is never much more than the path, whatever its characters', () => {
  let several = 0;
  fc.assert(
    fc.property(paths, (target) => {
      const { doubleSlashed = [], otherReadings = [] } = readPath(target) ?? {};
      if (otherReadings.length > 7) several++;
      const segments = [...doubleSlashed, ...otherReadings].reduce((sum, reading) => sum + reading.length, 0);
      const characters = [...doubleSlashed, ...otherReadings]
        .flat()
        .reduce((sum, text) => sum + text.length, 0);
      // Four ways to resolve each spelling, beside its own path.
      expect(segments).toBeLessThanOrEqual(4 * target.split('/').length + 5 * 512);
      expect(characters).toBeLessThanOrEqual(4 * target.length + 5 * 8192);
    }),
    { numRuns: 1000 },
  );
  expect(several).toBeGreaterThan(10);
});
