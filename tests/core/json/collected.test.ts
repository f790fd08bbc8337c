import { expect, test } from '@jest/globals';
import { array, assert, integer, property } from 'fast-check';
import { Collected } from '../../../src/core/json/collected.ts';
import { collectGarbage } from '../../support/garbage.ts';

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

test('a body in chunks of any length is all that arrived, in order', () => {
  const lengths = array(
    integer({ min: 0, max: 40_000 }).map((length) => (length % 3 === 0 ? length : length % 1100)),
    { maxLength: 60 },
  );
  assert(
    property(lengths, integer({ min: 0, max: 400_000 }), (all, expected) => {
      const chunks = all.map((length, at) => Buffer.alloc(length, String(at)));
      const body = new Collected(expected);
      for (const one of chunks) body.add(one);
      const whole = Buffer.concat(chunks);
      expect(body.length).toBe(whole.length);
      expect(body.take().equals(whole)).toBe(true);
      expect(body.take()).toHaveLength(0);
    }),
  );
});

test('a body that arrives byte by byte takes little more than its size', () => {
  const body = new Collected();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  for (let at = 0; at < 1_000_000; at++) body.add(Buffer.alloc(1, 'a'));
  collectGarbage();
  const after = process.memoryUsage();
  expect(after.heapUsed + after.external - heapUsed - external).toBeLessThan(4_000_000);
  expect(body.take()).toHaveLength(1_000_000);
});
