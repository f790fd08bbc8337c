import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { createHttpPdp, type HttpPdpOptions } from '../../../src/pdp/transport/adapter.ts';
import type { PdpPort, PdpQuestion } from '../../../src/pdp/port.ts';
import { startStubPdp, type StubAnswer, type StubPdp } from '../stub.ts';

/** An adapter and the stub that it asks. */
interface Pair {
  readonly pdp: PdpPort;
  readonly stub: StubPdp;
}

const stops: (() => Promise<void>)[] = [];

/** Has something stopped by `closeAll`. */
export function stopLater(stop: () => Promise<void>): void {
  stops.push(stop);
}

/** Starts a stub that answers as told, and an adapter for it; both are closed by `closeAll`. */
export async function startPair(
  answer: StubAnswer = {},
  options: Partial<HttpPdpOptions> = {},
): Promise<Pair> {
  const stub = await startStub(answer);
  return { stub, pdp: adapterFor(stub.url, options) };
}

export async function startStub(answer: StubAnswer = {}): Promise<StubPdp> {
  const stub = await startStubPdp(answer);
  stopLater(stub.close);
  return stub;
}

/** An adapter for the PDP at an origin. */
export function adapterFor(origin: URL, options: Partial<HttpPdpOptions> = {}): PdpPort {
  const endpoints = { resolution: new URL('/resolution', origin), token: new URL('/token', origin) };
  const pdp = createHttpPdp({ endpoints, timeout: 10_000, maxAnswerBytes: 100_000, ...options });
  stopLater(() => pdp.close());
  return pdp;
}

/** Closes everything that was started, adapters and stubs. */
export async function closeAll(): Promise<void> {
  await Promise.all(stops.splice(0).map((stop) => stop()));
}

/** A host that the resolver turns down by itself, without the network: its first label is too long. */
export const NO_NAME = `${'x'.repeat(64)}.invalid`;

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** A question, plain but for what is given. */
export function question(parts: Partial<PdpQuestion> = {}): PdpQuestion {
  return { calculationType: 'resolution', headers: [], body: Buffer.from('{}'), ...parts };
}

/** What a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was not rejected');
}
