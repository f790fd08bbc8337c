import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../errors.ts';
import { PROBLEM_TYPE, problemFrom } from './problem.ts';

interface Address {
  readonly host: string | undefined;
  readonly port: number;
}

/** Longer than load balancers keep theirs, so that they close idle connections first. Milliseconds. */
const KEEP_ALIVE_TIMEOUT = 75_000;

/**
 * Starts to listen.
 *
 * @returns the server, once it does
 * @throws the system's error where the port is taken, the host unknown, …
 */
export async function listen(handler: RequestListener, { host, port }: Address): Promise<Server> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT }, handler);
  server.on('clientError', answerMalformed);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  await promise;
  server.removeListener('error', reject);
  return server;
}

/** Stops taking connections and resolves when what is under way is answered. */
export async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  await promise;
}

/** Answers what is no HTTP message and so never becomes a request. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const problem = malformedFrom(error.code);
  const body = JSON.stringify(problemFrom(problem));
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
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
