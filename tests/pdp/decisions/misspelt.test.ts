import { expect, test } from '@jest/globals';
import { Misspelt } from '../../../src/pdp/decisions/misspelt.ts';

const MEANT = ['allowed', 'denied'];

test('an answer may have ten thousand names that are not known, and no more: each takes time', () => {
  const misspelt = new Misspelt();
  for (let at = 0; at < 10_000; at++) misspelt.refuse(`x${at}`, MEANT, []);
  misspelt.refuse('x0', MEANT, []);
  expect(() => misspelt.refuse('more', MEANT, ['response'])).toThrow(
    expect.objectContaining({
      code: 'decision-not-understood',
      message: expect.stringContaining('more than 10000 names that are not known at /response'),
    }),
  );
});
