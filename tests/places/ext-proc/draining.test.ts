import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, stopLater } from '../../pdp/transport/setup.ts';
import { startEnforcement } from '../../support/service.ts';
import { ProcessorClient } from './processor-client.ts';

afterEach(closeAll);

/** The beginning of HTTP/2, and empty settings. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');

/** A connection of an Envoy that has no streams. It stays open when the service ends its side. */
async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  stopLater(async () => void socket.destroy());
  socket.write(PREFACE);
  await once(socket, 'data');
  return socket;
}

describe('Draining the external processor', () => {
  test.each([
    ['closes its connections', (socket: Socket) => socket.end()],
    ['resets its connections', (socket: Socket) => socket.resetAndDestroy()],
  ])('ends in time if Envoy %s', async (_name, leave) => {
    const { processor } = await startEnforcement({}, { attrName: 'column', extProc: { port: 0 } });
    const port = processor?.port ?? 0;
    const sockets = await Promise.all([connected(port), connected(port), connected(port)]);
    const drained = processor?.drain(20_000);
    for (const socket of sockets) socket.resume().once('end', () => leave(socket));
    expect(await drained).toBe(true);
  });

  test('notes the exchanges that it cuts off', async () => {
    const keys = { attrName: 'column', extProc: { port: 0 }, routes: [{ path: '/a' }] };
    const { processor, logged } = await startEnforcement({}, keys);
    const stream = new ProcessorClient(processor?.port ?? 0).open();
    await stream.begin(
      [
        [':method', 'GET'],
        [':path', '/a'],
      ],
      'BUFFERED',
    );
    expect(await processor?.drain(100)).toBe(false);
    expect(logged).toContainEqual(expect.stringContaining('"message":"Exchange"'));
  });
});
