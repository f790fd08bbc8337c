import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** What the stub does with one request. What is left out is as in a plain, immediate, empty 200. */
export interface StubAnswer {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** Milliseconds before anything is answered. */
  readonly delay?: number;
  /** Sends the header, then a space every so many milliseconds, and never ends. */
  readonly drip?: number;
  /** Closes the connection instead of answering, or in the middle of the body, whose whole length was announced. */
  readonly reset?: 'before-answer' | 'mid-answer';
}

/** A request as it came over the wire. */
export interface StubRequest {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn, in their order and spelling. */
  readonly rawHeaders: readonly string[];
  /** Names in lower case; what came several times is joined as node does it. */
  readonly headers: Readonly<NodeJS.Dict<string | string[]>>;
  readonly body: Buffer;
}

export interface StubPdp {
  /** Its origin, on loopback. */
  readonly url: URL;
  readonly port: number;
  /** What it was asked, oldest first. */
  readonly requests: readonly StubRequest[];
  /** How many connections were opened to it. */
  readonly connections: () => number;
  /** What it answers from now on, to everything or as the request asks for. */
  readonly answer: (script: StubAnswer | ((request: StubRequest) => StubAnswer)) => void;
  /** Closes every connection and stops listening. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a PDP on the loopback interface that answers as it is told and remembers what it was asked.
 *
 * @param port any by default. A PDP that goes away before its callers do needs one of `freePort`: any other is given to another
 *   server soon, which would get their questions.
 */
export async function startStubPdp(first: StubAnswer = {}, port = 0): Promise<StubPdp> {
  let script: (request: StubRequest) => StubAnswer = () => first;
  let connections = 0;
  const requests: StubRequest[] = [];
  const server = createServer((request, response) => {
    void received(request).then((whole) => {
      requests.push(whole);
      return play(script(whole), response);
    });
  });
  server.maxHeadersCount = 0;
  server.on('connection', () => {
    connections++;
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const given = portOf(server);
  let isClosed = false;

  return {
    url: new URL(`http://127.0.0.1:${given}`),
    port: given,
    requests,
    connections: () => connections,
    answer: (next) => {
      script = typeof next === 'function' ? next : () => next;
    },
    close: async () => {
      if (isClosed && port === 0)
        throw new Error('A stub that goes away before its callers needs a port of freePort.');
      if (isClosed) return;
      isClosed = true;
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

async function received(request: IncomingMessage): Promise<StubRequest> {
  const { method = '', url = '', rawHeaders, headers } = request;
  return { method, path: url, rawHeaders, headers, body: await buffer(request) };
}

async function play(answer: StubAnswer, response: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, body = '', delay, drip, reset } = answer;
  if (delay !== undefined) await wait(delay, undefined, { ref: false });
  if (reset === 'before-answer') return void response.destroy();
  response.writeHead(
    status,
    reset === 'mid-answer' ? { ...headers, 'content-length': body.length } : headers,
  );
  if (drip !== undefined) return dripInto(response, drip);
  if (reset === 'mid-answer') return breakOff(response, body.slice(0, body.length / 2));
  response.end(body);
}

function dripInto(response: ServerResponse, ms: number): void {
  const drops = setInterval(() => response.write(' '), ms);
  response.once('close', () => clearInterval(drops));
}

async function breakOff(response: ServerResponse, part: string | Uint8Array): Promise<void> {
  await new Promise((sent) => response.write(part, sent));
  response.destroy();
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the stub has no port');
  return address.port;
}
