import { describe, expect, test } from '@jest/globals';
import { Pairs } from '../../../src/core/paths/pairs.ts';

describe('pairs', () => {
  test('have the same number as long as they are known', () => {
    const pairs = new Pairs();
    const numbersOf = () => Array.from({ length: 10_000 }, (_, at) => pairs.of(at % 7, at * 4001));
    const numbers = numbersOf();
    expect(numbersOf()).toEqual(numbers);
    expect(new Set(numbers).size).toBe(10_000);
  });

  test('never have the number of another pair, also if more come than are known at a time', () => {
    const pairs = new Pairs();
    const met = [pairs.of(1, 0)];
    for (let at = 0; at < 100_000; at++) met.push(pairs.of(met.at(-1), at % 3));
    expect(new Set(met).size).toBe(met.length);
  });

  test('have no number if a part has none or may be rounded', () => {
    const pairs = new Pairs();
    expect(pairs.of(undefined, 1)).toBeUndefined();
    expect(pairs.of(1, undefined)).toBeUndefined();
    expect(pairs.of(1, 2 ** 53)).toBeUndefined();
  });

  test('of large numbers are not those of small ones', () => {
    const pairs = new Pairs();
    expect(pairs.of(1, 2 ** 32 + 5)).not.toBe(pairs.of(1, 5));
    expect(pairs.of(2 ** 40, 5)).not.toBe(pairs.of(2 ** 41, 5));
    expect(pairs.of(2 ** 40, 5)).toBe(pairs.of(2 ** 40, 5));
  });
});
