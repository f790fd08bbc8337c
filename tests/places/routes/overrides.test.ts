import { expect, test } from '@jest/globals';
import { overridesOf } from '../../../src/places/routes/overrides.ts';

test('of thousands of methods and targets in header fields, no more pairs are made than show that they are too many', () => {
  const fields = Array.from({ length: 2000 }, (_value, at): [string, string][] => [
    ['X-HTTP-Method', `M${at}`],
    ['X-Original-URL', `/${at}`],
  ]).flat();
  const { length } = overridesOf({ method: 'GET', target: '/a' }, fields, new Set());
  expect(length).toBeGreaterThan(4);
  expect(length).toBeLessThan(100);
});
