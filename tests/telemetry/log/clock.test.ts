import { afterEach, expect, jest, test } from '@jest/globals';
import { now } from '../../../src/telemetry/log/clock.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([0, 7, 42, 999, 1000, 1001, 86_399_999, 1_795_330_321_000, 1_795_330_321_009, 1_795_330_321_090])(
  '%d ms after 1970 is written as in ISO 8601',
  (time) => {
    jest.spyOn(Date, 'now').mockReturnValue(time);
    expect(now()).toBe(new Date(time).toISOString());
    expect(now()).toBe(new Date(time).toISOString());
  },
);

test('the clock may go back', () => {
  const clock = jest.spyOn(Date, 'now');
  for (const time of [5000, 4999, 5001, 3000]) {
    clock.mockReturnValue(time);
    expect(now()).toBe(new Date(time).toISOString());
  }
});
