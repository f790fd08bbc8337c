import type { ErrorRequestHandler } from 'express';
import { answerProblem, exchangeOf, serviceErrorFrom } from '../listener/index.ts';

/** Answers every error as a problem. */
export const answerWithProblem: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const problem = serviceErrorFrom(error);
  const exchange = exchangeOf(response);
  exchange.error = { code: problem.code, detail: problem.message, cause: problem.cause };
  const { requestId } = exchange;
  const { callerDetail: detail, callerHeaders: headers } = problem;
  answerProblem(request, response, problem, { requestId, detail, headers });
};
