import { afterEach, expect, jest, test } from '@jest/globals';
import { array, assert, constantFrom, nat, property, record, tuple } from 'fast-check';
import { nearest } from '../../src/nearest.ts';

afterEach(() => void jest.restoreAllMocks());

test.each([
  ['kitten', ['mitten', 'sitting'], 'mitten'],
  ['port', ['host', 'port'], 'port'],
  ['PORT', ['host', 'port'], 'port'],
  ['pdpTimout', ['pdpTokenPath', 'pdpTimeout'], 'pdpTimeout'],
  ['ab', ['xb', 'ax'], 'xb'],
  ['prot', ['host', 'port'], 'port'],
])('the nearest to %j of %j is %s', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});

test.each([
  ['port', []],
  ['', ['ab', 'host']],
  ['ab', ['xy']],
  ['root', ['port', 'host', 'rootWord']],
  ['colour', ['format', 'filter']],
  ['x'.repeat(1_000_000), ['port']],
])('nothing is near %#', (word, candidates) => {
  expect(nearest(word, candidates)).toBeUndefined();
});

test('the letters of a word with the same length and letters, but three edits away, are not sorted', () => {
  const sorts = jest.spyOn(Array.prototype, 'toSorted');
  expect(nearest('oblgiatinos', ['obligations'])).toBe(undefined);
  expect(sorts.mock.contexts.flat()).toEqual([]);
});

test('two edits are too many where words of others are told apart, unless they swap letters', () => {
  expect(nearest('title', ['table'])).toBe('table');
  expect(['title', 'tbale', 'tables', 'TABL'].map((word) => nearest(word, ['table'], 1))).toEqual([
    undefined,
    'table',
    'table',
    'table',
  ]);
});

test('a word is near another after any two edits', () => {
  const letter = constantFrom(...'abcdefghijklmnopqrstuvwxyzABC019_-'.split(''));
  const edit = record({ at: nat(), letter, kind: constantFrom('insert', 'remove', 'exchange') });
  const edited = property(
    array(letter, { minLength: 8, maxLength: 20 }),
    tuple(edit, edit),
    (letters, edits) => {
      const word = [...letters];
      for (const { at, letter: other, kind } of edits)
        word.splice(at % word.length, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [other]));
      const candidate = letters.join('');
      return nearest(word.join(''), [candidate]) === candidate;
    },
  );
  expect(() => {
    assert(edited, { numRuns: 1000 });
  }).not.toThrow();
});
