import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { abortable } from '../../../abortable.ts';
import { joined } from '../../../core/index.ts';
import type { Intent } from '../../../enforcement/index.ts';
import { ServiceError } from '../../../errors.ts';
import {
  asAnswerProblem,
  changesOfAnswer,
  decoded,
  hasLength,
  notEnforceable,
  type AnswerPlan,
} from '../../answer/index.ts';
import { PROBLEM_TYPE, problemFrom, statusOf } from '../../listener/index.ts';
import type { InProcessEnforcer } from '../enforcer.ts';
import { tooLarge, type HeldAnswer, type Send } from './held-response.ts';
import { change, dropFraming, fieldsIn } from './response-head.ts';

/** A request and its response. */
export interface Exchange {
  readonly enforcer: InProcessEnforcer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

/** An exchange whose answer is to be enforced. */
export interface Enforceable extends Exchange {
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Header fields that say who the user is. */
  readonly identityHeaders: readonly string[];
  readonly intentOf: () => Promise<Intent>;
}

/** An exchange whose answer has begun. */
interface EnforcedExchange extends Enforceable {
  readonly plan: AnswerPlan;
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
  const { plan, enforcer, signal, intentOf } = exchange;
  const isEmpty = answer.body.length === 0;
  if (plan.kind === 'refuse' && !(isEmpty && plan.unlessEmpty)) throw notEnforceable(plan.reason);
  if (plan.kind !== 'enforce' || isEmpty) return NO_BODY;
  const { payload: limit } = enforcer.parts.limits;
  return enforcer.during(async () => {
    const body = await decoded(answer.body, plan.coding, (bytes) => {
      if (bytes > limit) throw tooLarge(limit);
    });
    // What is compressed may be nothing.
    if (body.length === 0) return NO_BODY;
    const intent = await abortable(intentOf(), signal);
    return joined(await enforcer.enforcePayload(body, intent, signal));
  });
}

/** Headers that are true of the enforced body. */
function describe({ request, response, identityHeaders }: EnforcedExchange, body: Buffer): void {
  change(response, changesOfAnswer(fieldsIn(response), identityHeaders));
  dropFraming(response);
  if (hasLength(request.method ?? '', response.statusCode)) response.setHeader('Content-Length', body.length);
}

/** Sends a problem document in place of an answer, and logs what is wrong. */
export function sendProblem(exchange: Exchange, error: unknown, send: Send): void {
  const { request, response, requestId } = exchange;
  const problem = problemOf(error);
  logProblem(exchange, problem);
  const body = Buffer.from(JSON.stringify(problemFrom(problem, requestId)));
  send(body, () => {
    const fields = fieldsIn(response);
    const ofBody = fields.map(([name]) => name).filter(isOfTheBody);
    const { remove } = changesOfAnswer(fields, []);
    change(response, { set: [], remove: [...ofBody, ...remove] });
    dropFraming(response);
    response.statusCode = statusOf(problem.code);
    // HTTP/2 has none, and Node.js would warn of it.
    if (request.httpVersionMajor < 2) response.statusMessage = STATUS_CODES[response.statusCode] ?? '';
    for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
    response.setHeader('Content-Type', PROBLEM_TYPE);
    response.setHeader('Content-Length', body.length);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Request-Id', requestId);
  });
}

/** A fault of the application, such as an error in its `vendor` function, says nothing about itself to clients. */
function problemOf(error: unknown): ServiceError {
  if (!(error instanceof ServiceError)) return unexpected(error);
  const isOfOptions = error.code === 'request-invalid' && error.errors[0]?.pointer !== '/json';
  return isOfOptions ? unexpected(error) : asAnswerProblem(error);
}

function unexpected(error: unknown): ServiceError {
  return new ServiceError('internal-error', 'The response cannot be enforced.', { cause: error });
}

/** Logs why an answer was not sent. */
export function logProblem({ enforcer, request, requestId }: Exchange, problem: ServiceError): void {
  const { code, message, cause } = problem;
  const status = statusOf(code);
  const { method } = request;
  const errors = cause instanceof ServiceError ? cause.errors : undefined;
  const fields = { requestId, method, status, error: code, detail: message, cause, errors };
  enforcer.parts.log[status >= 500 ? 'error' : 'warn']('Response not enforced', fields);
}

/** Headers that describe the body of the application, such as `Content-Disposition`. */
function isOfTheBody(name: string): boolean {
  return name.startsWith('content-') && !name.startsWith('content-security-policy');
}
