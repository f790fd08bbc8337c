import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { joined } from '../../../core/index.ts';
import type { Intent } from '../../../enforcement/index.ts';
import { ServiceError, type ErrorCode } from '../../../errors.ts';
import { PROBLEM_TYPE, problemFrom } from '../../listener/index.ts';
import type { InProcessEnforcer } from '../enforcer.ts';
import { decoded } from './decode.ts';
import type { HeldAnswer, Send } from './held-response.ts';
import { dropOriginal, makePrivate } from './representation.ts';

/** A request and its response. */
export interface Exchange {
  readonly enforcer: InProcessEnforcer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** An exchange whose answer is enforced. */
export interface EnforcedExchange extends Exchange {
  /** Header fields that say who the user is. */
  readonly identityHeaders: readonly string[];
  readonly intentOf: () => Promise<Intent>;
}

const NO_BODY = Buffer.alloc(0);

/** Sends the enforced answer of an application, or a problem document in its place. */
export async function answerEnforced(
  exchange: EnforcedExchange,
  answer: HeldAnswer,
  send: Send,
): Promise<void> {
  try {
    const body = await enforcedBody(exchange, answer);
    send(body, () => describe(exchange, body));
  } catch (error) {
    if (exchange.signal.aborted) exchange.response.destroy();
    else sendProblem(exchange, error, send);
  }
}

async function enforcedBody(exchange: EnforcedExchange, answer: HeldAnswer): Promise<Buffer> {
  if ('problem' in answer) throw answer.problem;
  const { response, enforcer, signal, intentOf } = exchange;
  if (answer.body.length === 0 || hasNoBody(exchange)) return NO_BODY;
  const { payload: limit } = enforcer.parts.limits;
  const body = await decoded(answer.body, response.getHeader('content-encoding'), limit);
  return joined(await enforcer.enforcePayload(body, await intentOf(), signal));
}

function hasNoBody({ request, response: { statusCode } }: Exchange): boolean {
  return request.method === 'HEAD' || statusCode === 204 || statusCode === 205 || statusCode === 304;
}

/** Headers that are true of the enforced body. */
function describe(exchange: EnforcedExchange, body: Buffer): void {
  const { response, identityHeaders } = exchange;
  dropOriginal(response);
  makePrivate(response, identityHeaders);
  if (!hasNoBody(exchange)) response.setHeader('Content-Length', body.length);
}

/** Sends a problem document in place of an answer, and logs what is wrong. */
export function sendProblem(exchange: Exchange, error: unknown, send: Send): void {
  const { response, requestId } = exchange;
  const problem = problemOf(error);
  logProblem(exchange, problem);
  const body = Buffer.from(JSON.stringify(problemFrom(problem, requestId)));
  send(body, () => {
    for (const name of response.getHeaderNames()) if (isOfTheBody(name)) response.removeHeader(name);
    dropOriginal(response);
    response.statusCode = problem.status;
    response.statusMessage = STATUS_CODES[problem.status] ?? '';
    for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
    response.setHeader('Content-Type', PROBLEM_TYPE);
    response.setHeader('Content-Length', body.length);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Request-Id', requestId);
  });
}

/** What is wrong with a payload here is wrong with an answer of the application: its client cannot change it. */
const OF_THE_PAYLOAD: ReadonlySet<ErrorCode> = new Set([
  'answer-too-large',
  'asset-id-not-found',
  'body-not-json',
  'body-too-large',
  'nesting-too-deep',
  'root-not-found',
]);

/** A fault of the application, such as an error in its `vendor` function, says nothing about itself to clients. */
function problemOf(error: unknown): ServiceError {
  if (!(error instanceof ServiceError)) return unexpected(error);
  if (OF_THE_PAYLOAD.has(error.code)) return new ServiceError('response-not-enforceable', error.message);
  if (error.code !== 'request-invalid') return error;
  const [problem] = error.errors;
  if (problem?.pointer !== '/json') return unexpected(error);
  return new ServiceError('response-not-enforceable', 'The response is neither an object nor an array.');
}

function unexpected(error: unknown): ServiceError {
  return new ServiceError('internal-error', 'The response cannot be enforced.', { cause: error });
}

function logProblem({ enforcer, request, requestId }: Exchange, problem: ServiceError): void {
  const { code, status, message, cause } = problem;
  const { method } = request;
  const errors = cause instanceof ServiceError ? cause.errors : undefined;
  const fields = { requestId, method, status, error: code, detail: message, cause, errors };
  enforcer.parts.log[status >= 500 ? 'error' : 'warn']('Response not enforced', fields);
}

/** Headers that describe the body of the application, such as `Content-Disposition`. */
function isOfTheBody(name: string): boolean {
  return name.startsWith('content-') && !name.startsWith('content-security-policy');
}
