import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { ServiceError } from '../../../src/errors.ts';
import { PassBody } from '../../../src/places/proxy/pass-body.ts';

const PATIENCE = 60_000;
const CHUNKS = 20_000;

/** A body on its way to a client, what was written of it, and how often the application had to wait and could go on. */
function passing() {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const write = jest.spyOn(response, 'write').mockReturnValue(true);
  const flow = { pause: jest.fn(), resume: jest.fn(), unbound: jest.fn(), abort: jest.fn() };
  const done = jest.fn();
  const body = new PassBody(response, flow, PATIENCE, done);
  const written = (): string => write.mock.calls.map(([bytes]) => String(bytes)).join('');
  return { response, write, flow, done, body, written };
}

function send(body: PassBody, text: string): void {
  for (const letter of text) body.data(Buffer.from(letter));
}

test('what arrives byte by byte in one turn is written at once, and the application waits for the next turn', async () => {
  const { write, flow, body, written } = passing();
  const text = 'abcd'.repeat(CHUNKS / 4);
  send(body, text);
  expect(flow.pause).toHaveBeenCalled();
  expect(flow.resume).not.toHaveBeenCalled();
  await turn();
  expect(written()).toBe(text);
  expect(write).toHaveBeenCalledTimes(1);
  expect(flow.resume).toHaveBeenCalledTimes(1);
});

test('a few chunks go on with nobody waiting', async () => {
  const { flow, body, written } = passing();
  send(body, 'ab');
  await turn();
  send(body, 'cd');
  await turn();
  expect(written()).toBe('abcd');
  expect(flow.pause).not.toHaveBeenCalled();
});

test('a long chunk goes on at once, behind the short ones before it', () => {
  const { write, body, written } = passing();
  send(body, 'ab');
  expect(write).not.toHaveBeenCalled();
  body.data(Buffer.alloc(1024, 'x'));
  expect(written()).toBe(`ab${'x'.repeat(1024)}`);
});

test('while the client reads nothing, nothing is written, and the rest follows', async () => {
  const { response, write, flow, body, written } = passing();
  write.mockReturnValueOnce(false);
  send(body, 'ab');
  await turn();
  expect(flow.pause).toHaveBeenCalledTimes(1);
  send(body, 'cd');
  await turn();
  expect(written()).toBe('ab');
  response.emit('drain');
  expect(flow.resume).toHaveBeenCalledTimes(1);
  await turn();
  expect(written()).toBe('abcd');
});

test('what has arrived is written before the end, or before the answer breaks off', () => {
  const ended = passing();
  const end = jest.spyOn(ended.response, 'end').mockReturnThis();
  send(ended.body, 'ab');
  ended.body.end([]);
  expect(ended.written()).toBe('ab');
  expect(end).toHaveBeenCalledTimes(1);
  const broken = passing();
  const error = new ServiceError('upstream-failed', 'It broke off.');
  send(broken.body, 'cd');
  broken.body.fail(error);
  expect(broken.written()).toBe('cd');
  expect(broken.response.destroyed).toBe(true);
  expect(broken.done).toHaveBeenCalledWith(error);
});

test('nothing is written to a client that has gone', async () => {
  const { response, write, body } = passing();
  send(body, 'ab');
  response.destroy();
  await turn();
  body.fail(new ServiceError('upstream-failed', 'It was given up.'));
  expect(write).not.toHaveBeenCalled();
});
