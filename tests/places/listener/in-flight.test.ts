import { expect, test } from '@jest/globals';
import { InFlight } from '../../../src/places/listener/in-flight.ts';

test('a request that was given up holds nothing afterwards, whatever it still does', () => {
  const inFlight = new InFlight({ requests: 2, streams: 1, bytes: 100 });
  const place = inFlight.enter(10);
  place.hold(50);
  expect(inFlight).toMatchObject({ requests: 1, bytes: 50 });
  place.leave();
  place.hold(80);
  place.becomeStream();
  place.leave();
  expect(inFlight).toMatchObject({ requests: 0, streams: 0, bytes: 0 });
});

test('a stream leaves its place among the requests to another, and keeps its bytes', () => {
  const inFlight = new InFlight({ requests: 1, streams: 1, bytes: 100 });
  const stream = inFlight.enter(10);
  stream.becomeStream();
  stream.becomeStream();
  const request = inFlight.enter(20);
  expect(inFlight).toMatchObject({ requests: 1, streams: 1, bytes: 30 });
  expect(() => request.becomeStream()).toThrow('The service has too many streams in progress (maxStreams).');
  expect(inFlight).toMatchObject({ requests: 1, streams: 1 });
  stream.leave();
  stream.leave();
  stream.becomeStream();
  expect(inFlight).toMatchObject({ requests: 1, streams: 0, bytes: 20 });
  request.becomeStream();
  request.leave();
  expect(inFlight).toMatchObject({ requests: 0, streams: 0, bytes: 0 });
});

test('what is left of the room for bytes is all used, and not one byte more', () => {
  const inFlight = new InFlight({ requests: 9, streams: 9, bytes: 100 });
  inFlight.enter(60);
  const last = inFlight.enter(40);
  expect(inFlight.bytes).toBe(100);
  expect(() => last.hold(41)).toThrow('(maxInFlightBody)');
  expect(() => inFlight.enter(1)).toThrow('(maxInFlightBody)');
  expect(inFlight).toMatchObject({ requests: 2, bytes: 100 });
});
