import { afterEach, expect, jest, test } from '@jest/globals';
import { matching } from '../../../src/core/conditions/relation.ts';
import { Occurrences } from '../../../src/core/paths/occurrences.ts';

const LONG = 1000;
/** Of these, `includes` compares nearly all at each place of a text that lacks only what is in the middle. */
const VALUE = `${'a'.repeat(LONG)}b${'a'.repeat(LONG)}`;

afterEach(() => void jest.restoreAllMocks());

test('a text is read once for a long value that it nearly contains everywhere', () => {
  const contains = matching('contains', 'STRING', [VALUE]);
  const includes = jest.spyOn(String.prototype, 'includes');
  const step = jest.spyOn(Occurrences.prototype, 'step');
  expect(contains('a'.repeat(4 * LONG))).toBe(false);
  expect(includes.mock.calls.filter(([sought]) => sought === VALUE)).toEqual([]);
  expect(step.mock.calls.length).toBeLessThan(8 * LONG);
  expect(contains(`c${VALUE}c`)).toBe(true);
});

test('characters of long values take no room in a map, which takes many times as much', () => {
  const set = jest.spyOn(Map.prototype, 'set');
  const occurrences = new Occurrences([VALUE, `${VALUE}c`, 'd'.repeat(LONG)]);
  expect(set.mock.calls.length).toBeLessThan(10);
  expect(occurrences.areIn(`a${VALUE}`)).toBe(true);
  expect(occurrences.areIn('d'.repeat(LONG - 1))).toBe(false);
});
