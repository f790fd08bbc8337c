import { expect, test } from '@jest/globals';
import { InFlight } from '../../../src/places/listener/in-flight.ts';

test('a request that was given up holds nothing afterwards, whatever it still does', () => {
  const inFlight = new InFlight({ requests: 2, bytes: 100 });
  const place = inFlight.enter(10);
  place.hold(50);
  expect(inFlight).toMatchObject({ requests: 1, bytes: 50 });
  place.leave();
  place.hold(80);
  place.leave();
  expect(inFlight).toMatchObject({ requests: 0, bytes: 0 });
});
