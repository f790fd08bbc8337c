import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { createGunzip } from 'node:zlib';
import { expect, jest, test } from '@jest/globals';
import { ServiceError } from '../../../src/errors.ts';
import { readBody } from '../../../src/places/listener/read-body.ts';

const TOO_LARGE = new ServiceError('body-too-large', 'The body is too large.');

/** Reads a message whose body may have this many bytes, and which goes on after that. */
async function readingTooMuch(limit: number) {
  const message = new IncomingMessage(new Socket());
  const check = jest.fn((bytes: number) => {
    if (bytes > limit) throw TOO_LARGE;
  });
  const done = jest.fn<(result: Buffer | Error) => void>();
  readBody(message, { inflater: undefined, timeout: 60_000, check, done });
  for (const piece of ['aaaa', 'bbbb', 'cccc', 'dddd']) message.push(piece);
  message.push(null);
  await new Promise((resolve) => void message.once('end', resolve));
  return { check, done };
}

test('nothing of a body is kept once it has turned out too large', async () => {
  const { check, done } = await readingTooMuch(6);
  expect(check.mock.calls).toEqual([[4], [8]]);
  expect(done.mock.calls).toEqual([[TOO_LARGE]]);
});

test('a body that does not arrive in time is not inflated any more', async () => {
  const message = new IncomingMessage(new Socket());
  const inflater = createGunzip();
  const result = await new Promise((done) =>
    readBody(message, { inflater, timeout: 1, check: () => undefined, done }),
  );
  expect(result).toMatchObject({ code: 'request-timeout' });
  expect(inflater.destroyed).toBe(true);
});
