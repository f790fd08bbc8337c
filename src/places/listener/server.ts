import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as loopPass } from 'node:timers/promises';
import { ServiceError } from '../../errors.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import { Connections } from './connections.ts';
import { LINGER } from './linger.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { PROBLEM_TYPE, problemFrom } from './problem.ts';
import { resetConnection } from './reset.ts';
import { statusOf } from './status.ts';
import type { TlsSettings } from './tls-settings.ts';

/** How connections are taken and kept. Times are in milliseconds. */
export interface ListenOptions {
  readonly host: string | undefined;
  readonly port: number;
  readonly headersTimeout: number;
  /** A body that takes longer is cut off, unless its route has answered before. */
  readonly bodyTimeout: number;
  /** How long a caller may take to receive an answer. */
  readonly answerTimeout: number;
  readonly keepAliveTimeout: number;
  readonly tls: TlsSettings;
  readonly log: Logger;
  /** Called with the answer to a message that is not a valid HTTP request. */
  readonly onMalformed: (error: ServiceError) => void;
  /**
   * Whether a request without `Content-Length` and `Transfer-Encoding` is over when the handler gets it: its stream then emits nothing,
   * which saves its making and ending.
   */
  readonly optimizeEmptyRequests?: boolean;
  /** What is done with requests for another protocol; without it, they are requests like any other. */
  readonly upgrades?: Upgrades | undefined;
}

/** Handles requests for another protocol. */
export interface Upgrades {
  /** Whether a request is for another protocol. If not, it is a request like any other, whose `Upgrade` is ignored (RFC 9110 §7.8). */
  concern(request: IncomingMessage): boolean;
  handle(upgrade: UpgradeRequest): void;
}

/** A request for another protocol on its connection. */
interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What the client sent after the request. */
  readonly rest: Buffer;
  /** Whether an answer is still to be sent on the connection. */
  readonly isAnswering: boolean;
}

/** How often it is looked for connections that take too long, in milliseconds. */
const CHECK_INTERVAL = 1000;

/** How long the route may take to answer a body that is late before the connection is cut all the same. Milliseconds. */
const GRACE = 2000;

/**
 * Starts to listen.
 *
 * @returns the server, once it listens
 * @throws TlsFilesError, or the system's error if the port is taken, the host unknown, …
 */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Server> {
  const { host, port } = options;
  const answerer = oneAtATime(handler, options.answerTimeout);
  const server = await createServerFor(answerer, options);
  // All fields count, as long as they are not too large together: Node would drop those after the thousandth.
  server.maxHeadersCount = 0;
  const connections = Connections.of(server);
  server.on('clientError', malformedAnswerer(connections, options.onMalformed));
  server.on('connect', tunnelRefuser(connections, options.onMalformed));
  const { upgrades } = options;
  if (upgrades !== undefined)
    server.on('upgrade', (request, socket, rest) =>
      upgrades.handle({ request, socket, rest, isAnswering: connections.isAnswering(request.socket) }),
    );
  // An expectation that the service does not know changes nothing of what it does.
  server.on('checkExpectation', answerer);
  server.listen({ port, ...(host === undefined ? {} : { host }) });
  await once(server, 'listening');
  return server;
}

async function createServerFor(handler: RequestListener, options: ListenOptions): Promise<Server> {
  const { headersTimeout, bodyTimeout, keepAliveTimeout, optimizeEmptyRequests = false, tls, log } = options;
  const { upgrades } = options;
  const timeouts = {
    headersTimeout,
    requestTimeout: headersTimeout + bodyTimeout + GRACE,
    keepAliveTimeout,
    connectionsCheckingInterval: CHECK_INTERVAL,
    // A message without one is answered as every other that is malformed.
    requireHostHeader: false,
    optimizeEmptyRequests,
    ...(upgrades && { shouldUpgradeCallback: (request: IncomingMessage) => upgrades.concern(request) }),
  };
  if (tls.certFile === undefined) return createServer(timeouts, handler);
  const { createTlsServer } = await import('./tls.ts');
  return createTlsServer({ ...timeouts, handshakeTimeout: headersTimeout, tls, log }, handler);
}

/**
 * Stops taking connections and resolves when what is under way is answered, or its time is over. Connections on which no
 * request has come by then are cut: once a server is closed, Node no longer asks how long they take.
 *
 * @param limit milliseconds, after which all connections are cut
 * @returns whether no request had to be cut off
 */
export async function closeServer(server: Server, limit: number): Promise<boolean> {
  let isCut = false;
  const connections = Connections.of(server);
  const cut = setTimeout(() => {
    isCut = true;
    server.closeAllConnections();
    connections.cutHandshakes();
  }, limit);
  const closed = once(server, 'close');
  server.close();
  connections.cutSilent();
  await closed;
  clearTimeout(cut);
  if (isCut) await connectionsClosed();
  return !isCut;
}

/** What is cut off is noted when its connection says that it is closed, which is after the server says so. */
async function connectionsClosed(): Promise<void> {
  await loopPass();
  await loopPass();
}

type ClientErrorListener = (error: NodeJS.ErrnoException, socket: Socket) => void;

function malformedAnswerer(
  connections: Connections,
  onMalformed: ListenOptions['onMalformed'],
): ClientErrorListener {
  return (error, socket) => {
    const problem = answerMalformed(error, socket, connections.begunOn(socket));
    // If a request is in progress on the connection, the error is reported for that request, or it was answered before it was whole.
    if (problem && !connections.isAnswering(socket) && !connections.isReceiving(socket)) onMalformed(problem);
  };
}

/** Answers what is no HTTP message and so never becomes a request, if anybody can read the answer. */
function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  begun: ServerResponse | undefined,
): ServiceError | undefined {
  if (!socket.writable || isOfConnection(error)) {
    socket.destroy();
    return undefined;
  }
  const problem = malformedFrom(error.code);
  if (begun === undefined) endWith(problem, socket);
  else cutOff(begun, socket);
  return problem;
}

/** Without an answer, Node would close the connection and nobody would know why. */
function tunnelRefuser(connections: Connections, onMalformed: ListenOptions['onMalformed']) {
  return ({ socket: own }: IncomingMessage, socket: Duplex): void => {
    const problem = new ServiceError('http-malformed', 'CONNECT is for proxies, and this service is none.');
    socket.on('error', () => socket.destroy());
    const begun = connections.begunOn(own);
    if (begun === undefined) endWith(problem, socket);
    else cutOff(begun, own);
    onMalformed(problem);
  };
}

/** Ends a connection on which an answer has begun: the caller would read anything else that is sent as a part of it. */
function cutOff(begun: ServerResponse, socket: Socket): void {
  const showsItsEnd = begun.chunkedEncoding || begun.hasHeader('Content-Length');
  if (showsItsEnd) socket.destroySoon();
  else resetConnection(socket);
}

/** Answers with a problem and ends the connection, soon also if the caller keeps its side open. */
function endWith(problem: ServiceError, socket: Duplex): void {
  const body = JSON.stringify(problemFrom(problem));
  const head = [
    `HTTP/1.1 ${statusOf(problem.code)} ${problem.title}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const patience = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(patience));
}

/** Whether it is the connection that failed, or its TLS, and not the message. */
function isOfConnection({ code = '' }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || /^ERR_(?:SSL|TLS)_/u.test(code);
}

function malformedFrom(code: string | undefined): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers-too-large', 'The header fields are larger than this service takes.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request-timeout', 'The request did not arrive in time.');
    default:
      return new ServiceError('http-malformed', 'The message is not valid HTTP.');
  }
}
