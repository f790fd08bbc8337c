import { expect, test } from '@jest/globals';
import { Collected } from '../../../src/places/listener/collected.ts';

const CHUNK = 40_000;
const LETTERS = ['a', 'b', 'c'];

function chunk(letter: string): Buffer {
  return Buffer.alloc(CHUNK, letter);
}

test.each([
  ['of a known length', 3 * CHUNK],
  ['of an unknown length', 0],
  ['longer than expected', 2 * CHUNK],
  ['much longer than expected', CHUNK + CHUNK / 2 + 10_000],
  ['shorter than expected', 4 * CHUNK],
  ['of no length that can be read', NaN],
])('a body %s is all that arrived, in order', (_, expected) => {
  const body = new Collected(expected);
  for (const letter of LETTERS) body.add(chunk(letter));
  expect(body.length).toBe(3 * CHUNK);
  expect(body.take().equals(Buffer.concat(LETTERS.map(chunk)))).toBe(true);
});

test('a body of one chunk is not copied', () => {
  const body = new Collected(10);
  const only = Buffer.alloc(10, 'a');
  body.add(only);
  expect(body.take()).toBe(only);
});

test('a body without chunks is empty', () => {
  expect(new Collected(100_000).take()).toHaveLength(0);
});
