import type { ErrorRequestHandler, Response } from 'express';
import { ServiceError } from '../errors.ts';
import { exchangeOf } from './exchange.ts';
import { PROBLEM_TYPE, problemFrom } from './problem.ts';

/** Answers every error as a problem; the only place where an error becomes a status. */
export const answerWithProblem: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const problem = serviceErrorFrom(error);
  const exchange = exchangeOf(response);
  exchange.error = { code: problem.code, detail: problem.message, cause: problem.cause };
  sendProblem(response, problem, exchange.requestId);
};

function sendProblem(response: Response, error: ServiceError, requestId: string): void {
  const body = JSON.stringify(problemFrom(error, requestId));
  response.status(error.status).set(error.headers).set('Content-Type', PROBLEM_TYPE);
  response.set('Content-Length', String(Buffer.byteLength(body))).end(body);
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
