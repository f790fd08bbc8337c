import { describe, expect, test } from '@jest/globals';
import { Backoff } from '../../../src/process/workers/backoff.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

function delaysAfter(lives: readonly number[]): readonly number[] {
  const backoff = new Backoff();
  return lives.map((life) => backoff.delayAfter(life));
}

describe('Backoff', () => {
  test('waits twice as long each time that a worker dies soon', () => {
    expect(delaysAfter([0, SECOND, 0, 5 * SECOND])).toEqual([100, 200, 400, 800]);
  });

  test('never waits longer than half a minute', () => {
    expect(delaysAfter(Array.from({ length: 2000 }, () => 0)).at(-1)).toBe(30 * SECOND);
  });

  test('begins anew when a worker lived long', () => {
    expect(delaysAfter([0, 0, HOUR, 0, 0])).toEqual([100, 200, 100, 100, 200]);
  });
});
