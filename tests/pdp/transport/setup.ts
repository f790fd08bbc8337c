import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import { createHttpTransport, type HttpTransportOptions } from '../../../src/pdp/transport/adapter.ts';
import type { Asked, Call, Transport } from '../../../src/pdp/port.ts';
import { onlyAnswer } from '../../../src/pdp/protocol.ts';
import { validityOf } from '../../../src/pdp/decisions/resolution/validity.ts';
export { freePort } from '../../../scripts/tools/free-port.ts';
import { startStubPdp, type StubAnswer, type StubPdp } from '../stub.ts';

/** A transport to one origin, for calls of one message. */
export interface OneMessageTransport extends Omit<Transport, 'decide'> {
  /** @returns the one answer */
  decide(call: Call): Promise<Uint8Array>;
}

/** A transport and the stub that it asks. */
interface Pair {
  readonly pdp: OneMessageTransport;
  readonly stub: StubPdp;
}

const stops: (() => Promise<void>)[] = [];

/** Has something stopped by `closeAll`. */
export function stopLater(stop: () => Promise<void>): void {
  stops.push(stop);
}

/** Has a server listen on this machine alone, on a free port ({@link portOf}), until `closeAll` stops it. */
export async function listening(server: HttpServer): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopLater(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
}

/** Starts a stub that answers as told, and an adapter for it; both are closed by `closeAll`. */
export async function startPair(
  answer: StubAnswer = {},
  options: Partial<HttpTransportOptions> = {},
): Promise<Pair> {
  const stub = await startStub(answer);
  return { stub, pdp: adapterFor(stub.url, options) };
}

/** @param port any, or one of `freePort` for a stub that is closed while it may still be asked */
export async function startStub(answer: StubAnswer = {}, port = 0): Promise<StubPdp> {
  const stub = await startStubPdp(answer, port);
  stopLater(stub.close);
  return stub;
}

/** An adapter for the PDP at an origin. */
export function adapterFor(origin: URL, options: Partial<HttpTransportOptions> = {}): OneMessageTransport {
  const pdp = createHttpTransport({ origin, timeout: 10_000, maxAnswerBytes: 100_000, ...options });
  stopLater(() => pdp.close());
  return {
    async decide(call) {
      const messages = call.messages.map(({ url, ...rest }) => ({
        ...rest,
        url: new URL(url.pathname, origin),
      }));
      return onlyAnswer(await pdp.decide({ ...call, messages }));
    },
    connection: () => pdp.connection(),
    close: () => pdp.close(),
  };
}

/** Closes everything that was started, adapters and stubs. */
export async function closeAll(): Promise<void> {
  await Promise.all(stops.splice(0).map((stop) => stop()));
}

/** A host that the resolver turns down by itself, without the network: its first label is too long. */
export const NO_NAME = `${'x'.repeat(64)}.invalid`;

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** What a test sets of a call. */
export interface CallParts extends Partial<Asked> {
  readonly body?: Uint8Array;
}

const NOWHERE = new URL('http://nowhere.invalid');

/** A call of one message, plain but for what is given. Questions in context go to an endpoint of their own. */
export function question({ body = Buffer.from('{}'), ...parts }: CallParts = {}): Call {
  const { calculationType = 'resolution' } = parts;
  const url = new URL(calculationType === 'context' ? '/token' : '/resolution', NOWHERE);
  return {
    calculationType,
    headers: [],
    messages: [{ url, body }],
    validityOf: ([answer]) => (answer === undefined ? 0 : validityOf(answer)),
    ...parts,
  };
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
