import type { ErrorRequestHandler, Request, Response } from 'express';
import type { ServiceError } from '../../errors.ts';
import { LINGER, PROBLEM_TYPE, exchangeOf, problemFrom, serviceErrorFrom } from '../listener/index.ts';

/** What of a refused body is read off for the sake of the connection; more is not worth the work. Bytes. */
const READ_OFF_LIMIT = 64 * 1024;

/** Answers every error as a problem; the only place where an error becomes a status. */
export const answerWithProblem: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const problem = serviceErrorFrom(error);
  const exchange = exchangeOf(response);
  exchange.error = { code: problem.code, detail: problem.message, cause: problem.cause };
  const unread = bytesToCome(request);
  if (unread > READ_OFF_LIMIT) response.set('Connection', 'close');
  else request.resume();
  sendProblem(response, problem, exchange.requestId);
  if (unread > 0 && isLast(response)) endLater(request, response);
  else response.end();
};

function isLast(response: Response): boolean {
  return !response.shouldKeepAlive || response.get('Connection') === 'close';
}

/** At most; a body in chunks may have any length. */
function bytesToCome(request: Request): number {
  if (request.complete) return 0;
  if (request.get('transfer-encoding') !== undefined) return Infinity;
  return Number(request.get('content-length') ?? 0);
}

function sendProblem(response: Response, error: ServiceError, requestId: string): void {
  // As bytes: Node would put the header fields in front of a text and encode both as UTF-8, and fields are not (RFC 9110 §5.5).
  const body = Buffer.from(JSON.stringify(problemFrom(error, requestId, error.callerDetail)));
  response.status(error.status).set(error.headers).set({
    'Content-Type': PROBLEM_TYPE,
    'Cache-Control': 'no-store',
  });
  response.set('Content-Length', String(body.length)).write(body);
}

/**
 * Ends an answer that ends the connection, once the caller has sent everything or has had time to read it: closing with
 * bytes unread resets the connection, and the caller may lose the answer (RFC 9112 §9.6).
 */
function endLater(request: Request, response: Response): void {
  const patience = setTimeout(() => response.end(), LINGER);
  request.once('end', () => response.end());
  response.once('close', () => clearTimeout(patience));
}
