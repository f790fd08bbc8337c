import { once } from 'node:events';
import { createServer, IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { BodyByTurns } from '../../../src/places/listener/index.ts';
import { closeAll, listening, portOf } from '../../pdp/transport/setup.ts';
import { eventually } from '../../support/eventually.ts';
import { connected } from '../../support/wire.ts';

afterEach(closeAll);

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const LENGTH = 20_000;

/** A body, each byte of it in a chunk of its own. */
function byteByByte(text: string): string {
  return Array.from(text, (letter) => `1\r\n${letter}\r\n`).join('');
}

/** A message that a server got, of which a client has sent so much. */
async function received(
  sent: string,
): Promise<{ readonly message: IncomingMessage; readonly client: Socket }> {
  const server: Server = createServer();
  await listening(server);
  const client = await connected(portOf(server));
  client.write(HEAD + sent);
  const [message]: unknown[] = await once(server, 'request');
  if (!(message instanceof IncomingMessage)) throw new Error('no message');
  return { message, client };
}

test('a body that arrives byte by byte is read in a few pieces', async () => {
  const text = 'abcdefghij'.repeat(LENGTH / 10);
  const { message, client } = await received(`${byteByByte(text)}0\r\n\r\n`);
  const pieces: Buffer[] = [];
  for await (const piece of new BodyByTurns(message)) if (Buffer.isBuffer(piece)) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe(text);
  expect(pieces.length).toBeLessThan(LENGTH / 20);
  client.destroy();
});

test('a body goes on as it arrives, and has to wait while nobody reads it', async () => {
  const { message, client } = await received(byteByByte('early'));
  const body = new BodyByTurns(message);
  const [piece]: unknown[] = await once(body, 'data');
  expect(String(piece)).toBe('early');
  body.pause();
  client.write(`400000\r\n${'x'.repeat(0x400_000)}\r\n0\r\n\r\n`);
  await eventually(() => body.readableLength > 0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(body.readableLength).toBeLessThan(0x200_000);
  const rest: Buffer[] = [];
  for await (const one of body) if (Buffer.isBuffer(one)) rest.push(one);
  expect(Buffer.concat(rest)).toHaveLength(0x400_000);
  client.destroy();
});

test('a body that breaks off is an error, and never taken for the whole', async () => {
  const { message, client } = await received(byteByByte('abc'));
  const body = new BodyByTurns(message);
  await once(body, 'data');
  client.destroy();
  await expect(once(body, 'end')).rejects.toThrow('before it was complete');
});

test('a body that breaks off harms nobody, though no one follows its errors', async () => {
  const { message, client } = await received(byteByByte('abc'));
  const body = new BodyByTurns(message);
  client.destroy();
  await eventually(() => body.errored !== null);
  expect(body.errored).toMatchObject({ message: 'the message ended before it was complete' });
});

test('what is left of a message is read and dropped when its body is no longer wanted', async () => {
  const { message, client } = await received(byteByByte('abc'));
  const body = new BodyByTurns(message);
  await once(body, 'data');
  body.destroy();
  client.write(`${byteByByte('def')}0\r\n\r\n`);
  await once(message, 'end');
  expect(message.complete).toBe(true);
  expect(message.socket.destroyed).toBe(false);
  client.destroy();
});
