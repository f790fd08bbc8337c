import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Room } from '../../../room.ts';
import { shortened } from '../../../shortened.ts';
import type { CurrentPolicies } from './policy-file/watch.ts';
import { AnswerLength, roomForAnswers } from './answer-length.ts';
import { roomForBodies } from './question-body.ts';
import { replyTo, sentence, type Answering, type Reply } from './routes.ts';
import { Turns } from './turns.ts';

/** The log of the server. */
interface PdpServerLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

interface PdpServerOptions {
  /** From `loadPolicyFile`; if they change, an answer is that of one version. */
  readonly policies: CurrentPolicies;
  /** 0 for any that is free. */
  readonly port: number;
  /** Listen address; all if undefined. */
  readonly host?: string | undefined;
  readonly logger: PdpServerLog;
}

interface PdpServer {
  /** The port that it listens on. */
  readonly port: number;
  /**
   * Serves on for a delay, until nobody sends to it any more, and stops listening.
   *
   * @param drainDelay milliseconds; 0 by default
   * @returns when every request is answered, or was cut off because it took too long
   */
  close(drainDelay?: number): Promise<void>;
  /** Has `close`, before or after it is called, not wait for the delay. */
  hurry(): void;
}

/** How long a request may take to arrive, in milliseconds. */
const REQUEST_TIMEOUT = 30_000;
/** How long a connection may rest while a request or an answer is on its way, in milliseconds. */
const SOCKET_TIMEOUT = 60_000;
/** Longer than the idle time of most load balancers, so that none sends on a connection that is just being closed. */
const KEEP_ALIVE_TIMEOUT = 75_000;
/** How long requests may go on when the server is closed, in milliseconds. */
const CLOSE_TIMEOUT = 10_000;

/**
 * Serves the embedded PDP over HTTP, at the default paths (docs/policy-file.md#over-http), with `GET /health/liveness`
 * and `GET /health/readiness`.
 *
 * @throws Error with node's `code` if it cannot listen, such as `EADDRINUSE`
 */
export async function startPdpServer(options: PdpServerOptions): Promise<PdpServer> {
  const { policies, port, host, logger } = options;
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT, keepAliveTimeout: KEEP_ALIVE_TIMEOUT });
  server.setTimeout(SOCKET_TIMEOUT);
  const serving: Serving = {
    isLeaving: false,
    policies,
    logger,
    room: roomForBodies(),
    answers: roomForAnswers(),
    turns: new Turns(),
  };
  server.on('request', (request, response) => {
    void respond(request, response, serving);
  });
  server.listen(port, host);
  await once(server, 'listening');
  let closing: Promise<void> | undefined;
  const hurried = new AbortController();
  return {
    port: portOf(server),
    close: (drainDelay = 0) => (closing ??= closed(server, serving, drainDelay, hurried.signal)),
    hurry: () => hurried.abort(),
  };
}

interface Serving extends Answering {
  /** Whether every answer ends its connection, so that callers go to another server. */
  isLeaving: boolean;
  readonly answers: Room;
  readonly logger: PdpServerLog;
}

async function respond(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const length = new AnswerLength(serving.answers);
  response.once('close', () => length.close());
  const reply = await replyOrFailure(request, serving, length);
  if (response.destroyed) return length.close();
  if (serving.isLeaving) response.setHeader('connection', 'close');
  // AuthZEN requires it of every answer.
  const id = request.headers['x-request-id'];
  if (id !== undefined) response.setHeader('x-request-id', id);
  // As bytes: Node.js writes the fields before a text in UTF-8, which changes an identifier that is not ASCII.
  const body = Buffer.from(reply.body);
  response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length });
  response.end(body);
}

async function replyOrFailure(
  request: IncomingMessage,
  serving: Serving,
  length: AnswerLength,
): Promise<Reply> {
  const { logger } = serving;
  try {
    const reply = await replyTo(request, serving, length);
    logReply(request, reply, logger);
    return reply;
  } catch (error) {
    if (request.complete) logger.error('The PDP failed', { error });
    else logger.warn('Request aborted');
    return sentence(500, 'The PDP failed.');
  }
}

/** Logs refusals with their reason, which is a sentence. It logs neither the content of decisions nor health probes. */
function logReply({ method, url }: IncomingMessage, { status, body }: Reply, logger: PdpServerLog): void {
  const path = shortened(url?.split('?', 1)[0] ?? '');
  if (status !== 200) logger.warn('Refused', { method, path, status, reason: shortened(body) });
  else if (method === 'POST') logger.info('Answered', { path });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function closed(
  server: Server,
  serving: Serving,
  drainDelay: number,
  hurried: AbortSignal,
): Promise<void> {
  serving.isLeaving = true;
  await wait(drainDelay, undefined, { signal: hurried }).catch(() => undefined);
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
  await promisify(server.close.bind(server))();
  clearTimeout(timer);
}
