import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { BUFFERED, FULL_DUPLEX } from '../../../scripts/tools/envoy-configuration.ts';
import { closeAll, portOf, stopLater } from '../../pdp/transport/setup.ts';
import { connected } from '../../support/wire.ts';
import { SECRET } from '../proxy/setup.ts';
import { describeEnvoy, type Answering } from './envoy.ts';
import { startChain } from './setup.ts';

afterEach(closeAll);

const CUTS = {
  'ends its connection': (socket: Socket) => socket.end(),
  'resets its connection': (socket: Socket) => socket.resetAndDestroy(),
  hangs: () => undefined,
} as const;

/** Between Envoy and the service: what the service sends stops after so many bytes. */
class Cut {
  /** How many bytes more of the service reach Envoy. */
  left = Infinity;
  /** How many have. */
  passed = 0;
  readonly #cut: (socket: Socket) => unknown;
  readonly #sockets = new Set<Socket>();

  constructor(cut: (socket: Socket) => unknown) {
    this.#cut = cut;
  }

  async between(port: number): Promise<number> {
    const server = createServer((envoy) => this.#relay(envoy, connect({ port, host: '127.0.0.1' })));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stopLater(async () => {
      this.reset();
      server.close();
      await once(server, 'close');
    });
    return portOf(server);
  }

  reset(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    this.left = Infinity;
    this.passed = 0;
  }

  #relay(envoy: Socket, service: Socket): void {
    for (const socket of [envoy, service]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    envoy.on('data', (bytes) => void (service.writable && service.write(bytes)));
    service.on('data', (bytes: Buffer) => {
      const passing = bytes.subarray(0, Math.max(this.left, 0));
      this.left -= bytes.length;
      this.passed += passing.length;
      if (envoy.writable && passing.length > 0) envoy.write(passing);
      if (this.left <= 0) this.#cut(envoy);
    });
  }
}

const RECORD = `{"ssn":"${SECRET}"}`;
const answer: Answering = (response, { url }) => {
  if (url === '/json') response.writeHead(200, { 'content-type': 'application/json' }).end(RECORD);
  else {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write(`${RECORD}\n`);
    setTimeout(() => response.end(`${RECORD}\n`), 20);
  }
};

/** What a client gets until the connection ends, or until it waits no longer. */
async function receivedWithin(port: number, path: string, milliseconds: number): Promise<string> {
  const socket = await connected(port);
  let received = '';
  socket.on('data', (bytes) => (received += bytes.toString('latin1')));
  socket.on('error', () => socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const ended = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  await Promise.race([ended, wait(milliseconds, undefined, { ref: false })]);
  socket.destroy();
  return received;
}

/** How often an exchange is tried: on a busy machine, it may take longer than Envoy waits. */
const MOST_TRIES = 20;

/** How many bytes of the service an exchange takes as a whole. */
async function bytesOf(path: string, relay: Cut, port: number): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    relay.reset();
    // oxlint-disable-next-line no-await-in-loop -- one exchange after another
    const received = await receivedWithin(port, path, 5000);
    expect(received).not.toContain(SECRET);
    if (received.includes('***')) return relay.passed;
  }
  throw new Error('no exchange came to its end');
}

/** How many bytes of the service are between two places where it is cut. */
const STEP = 30;

describeEnvoy.each([
  ['BUFFERED', BUFFERED],
  ['FULL_DUPLEX_STREAMED', FULL_DUPLEX],
] as const)('With a real Envoy in mode %s, no raw answer leaves if the service', (_mode, mode) => {
  test.each(Object.entries(CUTS))('%s anywhere in an exchange', async (name, cut) => {
    const relay = new Cut(cut);
    const { envoy } = await startChain({
      mode,
      answer,
      between: (port) => relay.between(port),
      filter: { message_timeout: '0.2s' },
    });
    const patience = name === 'hangs' ? 500 : 5000;
    for (const path of ['/json', '/ndjson']) {
      // oxlint-disable-next-line no-await-in-loop -- one exchange after another
      const all = await bytesOf(path, relay, envoy.port);
      for (let left = 0; left < all; left += STEP) {
        relay.reset();
        relay.left = left;
        // oxlint-disable-next-line no-await-in-loop
        const received = await receivedWithin(envoy.port, path, patience);
        expect({ path, left, received }).not.toMatchObject({ received: expect.stringContaining(SECRET) });
      }
    }
  });
});
