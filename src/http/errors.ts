import type { ErrorRequestHandler, Request, Response } from 'express';
import { ServiceError } from '../errors.ts';
import { exchangeOf } from './exchange.ts';
import { PROBLEM_TYPE, problemFrom } from './problem.ts';

/** How long a caller may go on sending what is not read any more, in milliseconds. */
const LINGER = 500;

/** Answers every error as a problem; the only place where an error becomes a status. */
export const answerWithProblem: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const problem = serviceErrorFrom(error);
  const exchange = exchangeOf(response);
  exchange.error = { code: problem.code, detail: problem.message, cause: problem.cause };
  sendProblem(response, problem, exchange.requestId);
  endAfter(request, response);
};

function sendProblem(response: Response, error: ServiceError, requestId: string): void {
  const body = JSON.stringify(problemFrom(error, requestId));
  response.status(error.status).set(error.headers).set('Content-Type', PROBLEM_TYPE);
  response.set('Content-Length', String(Buffer.byteLength(body))).write(body);
}

/**
 * Ends an answer that ends the connection only when the caller has sent everything, or after a while: closing it with bytes
 * unread would reset it, and the caller would lose the answer (RFC 9112 §9.6).
 */
function endAfter(request: Request, response: Response): void {
  if (request.complete || response.get('Connection') !== 'close') {
    response.end();
    return;
  }
  const patience = setTimeout(() => response.end(), LINGER);
  request.resume().once('end', () => response.end());
  response.once('close', () => clearTimeout(patience));
}

function serviceErrorFrom(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('internal-error', 'The service failed.', { cause: framesOf(error) });
}

/** Where a fault happened, without its message, which may quote what it stumbled over. */
function framesOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line));
  return { name: error.name, frames: frames.map((frame) => frame.trim()) };
}
