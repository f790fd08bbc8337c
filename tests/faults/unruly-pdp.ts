import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { ErrorCode } from '../../src/errors.ts';
import { portOf } from '../pdp/transport/setup.ts';

/** A way for a PDP to go wrong, and what the service makes of it. */
interface PdpFault {
  readonly name: string;
  /** Several where it depends on what comes first: the bytes, the end of the connection, or the deadline. */
  readonly codes: readonly ErrorCode[];
  readonly play: (response: ServerResponse) => void;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MEGABYTE = 1024 * 1024;

/** A decision that masks `ssn` in every record. */
export const MASKING = JSON.stringify({
  tokenValidity: 0,
  response: [{ access: [{ path: 'ssn', resourceType: 'columns', actions: [{ action: 'MASK' }] }] }],
});

/** Inflates to far more than a decision may have. */
const BOMB = gzipSync(Buffer.alloc(64 * MEGABYTE, ' '));
const GIGANTIC = Buffer.alloc(17 * MEGABYTE, ' ');

/** A decision like any other, but for what is wrong with it. */
function saying(body: string | Buffer, headers: Readonly<Record<string, string>> = {}, status = 200) {
  return (response: ServerResponse): void =>
    void response.writeHead(status, { ...JSON_TYPE, ...headers }).end(body);
}

/** Bytes instead of an answer. */
function writing(bytes: string) {
  return ({ socket }: ServerResponse): void => void socket?.end(bytes);
}

/** A head that announces a whole decision, half of it, and then this. */
function halfway(then: (response: ServerResponse) => void) {
  return (response: ServerResponse): void => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': MASKING.length });
    response.write(MASKING.slice(0, MASKING.length / 2), () => then(response));
  };
}

function drip(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE);
  const drops = setInterval(() => response.write(' '), 5);
  response.once('close', () => clearInterval(drops));
}

/** Every fault that a PDP which is there can have. */
export const PDP_FAULTS: readonly PdpFault[] = [
  { name: 'hangs up', codes: ['pdp-unreachable'], play: ({ socket }) => socket?.destroy() },
  {
    name: 'resets the connection',
    codes: ['pdp-unreachable'],
    play: ({ socket }) => socket?.resetAndDestroy(),
  },
  {
    name: 'resets the connection in the middle of its answer',
    codes: ['pdp-failed', 'pdp-unreachable'],
    play: halfway(({ socket }) => socket?.resetAndDestroy()),
  },
  { name: 'ends its answer early', codes: ['pdp-failed'], play: halfway(({ socket }) => socket?.end()) },
  { name: 'stops in the middle of its answer', codes: ['pdp-timeout'], play: halfway(() => undefined) },
  { name: 'says nothing', codes: ['pdp-timeout'], play: () => undefined },
  { name: 'drips', codes: ['pdp-timeout'], play: drip },
  { name: 'does not speak HTTP', codes: ['pdp-failed'], play: writing('220 mail.example.com ESMTP\r\n\r\n') },
  {
    name: 'sends a header without end',
    codes: ['pdp-failed'],
    play: writing(`HTTP/1.1 200 OK\r\nX-Fill: ${'x'.repeat(200_000)}\r\n\r\n`),
  },
  {
    name: 'says twice how long its answer is',
    codes: ['pdp-failed'],
    play: writing(
      `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: ${MASKING.length}\r\n\r\n${MASKING}`,
    ),
  },
  { name: 'redirects', codes: ['pdp-failed'], play: saying('', { location: '/elsewhere' }, 307) },
  { name: 'has nothing to say', codes: ['decision-not-understood'], play: saying('', {}, 204) },
  { name: 'fails', codes: ['pdp-failed'], play: saying('{}', {}, 500) },
  { name: 'sends too much', codes: ['pdp-failed', 'pdp-timeout'], play: saying(GIGANTIC) },
  {
    name: 'sends a gzip bomb',
    codes: ['pdp-failed', 'pdp-timeout'],
    play: saying(BOMB, { 'content-encoding': 'gzip' }),
  },
  {
    name: 'compresses in its own way',
    codes: ['pdp-failed'],
    play: saying(MASKING, { 'content-encoding': 'gzip' }),
  },
  {
    name: 'sends a page',
    codes: ['decision-not-understood'],
    play: saying('<html></html>', { 'content-type': 'text/html' }),
  },
  { name: 'sends half a decision', codes: ['decision-not-understood'], play: saying(MASKING.slice(0, -3)) },
  { name: 'sends two decisions', codes: ['decision-not-understood'], play: saying(MASKING + MASKING) },
  { name: 'sends bytes', codes: ['decision-not-understood'], play: saying(Buffer.from(MASKING, 'utf16le')) },
  {
    name: 'nests without end',
    codes: ['decision-not-understood'],
    play: saying(`{"response":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  },
  { name: 'sends null', codes: ['decision-not-understood'], play: saying('null') },
];

const asked = z.looseObject({ fault: z.string().optional() });

/** A PDP that goes wrong as the request asks for in `vendor.fault`, and else masks `ssn`. */
export interface UnrulyPdp {
  readonly port: number;
  readonly close: () => Promise<void>;
}

export async function startUnrulyPdp(port = 0): Promise<UnrulyPdp> {
  const server = createServer((request, response) => void play(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

async function play(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { fault } = asked.parse(await json(request).catch(() => ({})));
  const { play: answer } = PDP_FAULTS.find(({ name }) => name === fault) ?? { play: saying(MASKING) };
  answer(response);
}
