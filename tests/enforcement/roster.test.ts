import { describe, expect, test } from '@jest/globals';
import { Roster } from '../../src/enforcement/roster.ts';

describe('a roster', () => {
  test('has what was added and not deleted', () => {
    const roster = new Roster<string>();
    const places = ['a', 'b', 'c'].map((item) => roster.add(item));
    roster.delete(places[1] ?? NaN);
    expect([...roster]).toEqual(['a', 'c']);
    expect(roster.size).toBe(2);
  });

  test('takes no more room than the most that it ever had at once', () => {
    const roster = new Roster<number>();
    roster.delete(roster.add(0));
    const kept = roster.add(1);
    for (let item = 2; item < 1000; item++) roster.delete(roster.add(item));
    expect(kept).toBe(0);
    expect(roster.add(1000)).toBe(1);
    expect([...roster]).toEqual([1, 1000]);
  });
});
