import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../../errors.ts';
import { LINGER } from './linger.ts';
import { PROBLEM_TYPE, problemFrom } from './problem.ts';
import { statusOf } from './status.ts';

/** How much of a refused body is read to keep the connection, in bytes; above it, the connection is closed. */
const READ_OFF_LIMIT = 64 * 1024;

/** What a client gets to read of an error, besides its code. */
interface ProblemText {
  readonly requestId: string;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers a request with a problem, whatever of its body is still to come.
 *
 * @param detail what the client may read of the error
 * @param headers those of the error that the client may read; its own by default
 */
export function answerProblem(
  request: IncomingMessage,
  response: ServerResponse,
  error: ServiceError,
  { requestId, detail, headers = error.headers }: ProblemText,
): void {
  const unread = bytesToCome(request);
  if (unread > READ_OFF_LIMIT) response.setHeader('Connection', 'close');
  else request.resume();
  sendProblem(response, error, { requestId, detail, headers });
  if (unread > 0 && isLast(response)) endLater(request, response);
  else response.end();
}

/** Any error as one of the catalogue. Of an unexpected one, only the stack frames are kept. */
export function serviceErrorFrom(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('internal-error', 'The service failed.', { cause: framesOf(error) });
}

function isLast(response: ServerResponse): boolean {
  return !response.shouldKeepAlive || response.getHeader('Connection') === 'close';
}

/** At most; a body in chunks may have any length. */
function bytesToCome(request: IncomingMessage): number {
  if (request.complete) return 0;
  if (request.headers['transfer-encoding'] !== undefined) return Infinity;
  return Number(request.headers['content-length'] ?? 0);
}

function sendProblem(
  response: ServerResponse,
  error: ServiceError,
  { requestId, detail, headers = {} }: ProblemText,
): void {
  // As bytes: Node would put the header fields in front of a text and encode both as UTF-8, and fields are not (RFC 9110 §5.5).
  const body = Buffer.from(JSON.stringify(problemFrom(error, requestId, detail)));
  response.statusCode = statusOf(error.code);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', PROBLEM_TYPE);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Length', body.length);
  response.write(body);
}

/**
 * Ends an answer that ends the connection, once the caller has sent everything or has had time to read it: closing with
 * bytes unread resets the connection, and the caller may lose the answer (RFC 9112 §9.6).
 */
function endLater(request: IncomingMessage, response: ServerResponse): void {
  const patience = setTimeout(() => response.end(), LINGER);
  request.once('end', () => response.end());
  response.once('close', () => clearTimeout(patience));
}

/** The stack frames without the message, which may quote payload values. */
function framesOf(error: unknown): unknown {
  if (!Error.isError(error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line));
  return { name: error.name, frames: frames.map((frame) => frame.trim()) };
}
