import type { IncomingMessage } from 'node:http';
import type { Room } from '../../../room.ts';
import type { CalculationType, HeaderFields } from '../../port.ts';
import { decide } from './answer.ts';
import type { AnswerLength } from './answer-length.ts';
import { AUTHZEN_PATHS, authzenConfiguration, evaluateOne, evaluateSeveral } from './authzen.ts';
import type { PolicyFile } from '../../policies/index.ts';
import type { CurrentPolicies } from './policy-file/watch.ts';
import { readQuestion } from './question.ts';
import { MAX_BODY, QuestionBody } from './question-body.ts';
import { PdpRefusal } from './refusal.ts';
import type { Turns } from './turns.ts';
import { RETRY_SOON } from '../../../errors.ts';

/** What is answered to a request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is answered to a body that is dropped. */
const DROPPED = {
  'too long': sentence(413, `The body may have at most ${MAX_BODY} bytes.`, { connection: 'close' }),
  'no room': sentence(503, 'Too many questions arrive at once.', { ...RETRY_SOON, connection: 'close' }),
};

/** Answers the body of a question. */
type AnswerBody = (
  policies: PolicyFile,
  body: Uint8Array,
  headers: HeaderFields,
  answer: AnswerLength,
) => Promise<unknown>;

/** The default paths of the specification, and those of AuthZEN. */
const ANSWERS: ReadonlyMap<string, AnswerBody> = new Map([
  ['/api/runtime/resolution/v3', decisionBy('resolution')],
  ['/api/runtime/token/v3', decisionBy('context')],
  [AUTHZEN_PATHS.evaluation, evaluateOne],
  [AUTHZEN_PATHS.evaluations, evaluateSeveral],
]);
const HEALTH: ReadonlySet<string> = new Set(['/health/liveness', '/health/readiness']);

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** What questions are answered with. */
export interface Answering {
  readonly policies: CurrentPolicies;
  /** For the bodies of questions. */
  readonly room: Room;
  readonly turns: Turns;
}

/**
 * Answers a request to the PDP. Every answer other than a decision has a status and a short sentence.
 *
 * @param length how long the answer gets, which the caller closes
 * @throws Error if the request breaks off
 */
export async function replyTo(
  request: IncomingMessage,
  answering: Answering,
  length: AnswerLength,
): Promise<Reply> {
  const path = request.url?.split('?', 1)[0] ?? '';
  const answer = ANSWERS.get(path);
  if (answer !== undefined) return replyToQuestion(request, answer, answering, length);
  if (path === AUTHZEN_PATHS.configuration) return replyToDiscovery(request);
  return HEALTH.has(path) ? replyToProbe(request) : sentence(404, 'This path does not exist.');
}

function replyToProbe({ method }: IncomingMessage): Reply {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead ? sentence(200, 'OK') : methodNotAllowed('GET, HEAD');
}

function decisionBy(calculationType: CalculationType): AnswerBody {
  return (policies, body, headers, length) =>
    decide(policies, calculationType, readQuestion(body), headers, length);
}

/** The address is the one that was asked, as far as the server can know it. */
function replyToDiscovery({ method, headers }: IncomingMessage): Reply {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead ? json(authzenConfiguration(`http://${headers.host ?? ''}`)) : methodNotAllowed('GET, HEAD');
}

async function replyToQuestion(
  request: IncomingMessage,
  answer: AnswerBody,
  { policies, room, turns }: Answering,
  length: AnswerLength,
): Promise<Reply> {
  if (request.method !== 'POST') return methodNotAllowed('POST');
  if (!isPlainJson(request))
    return sentence(415, 'The body must be application/json, in UTF-8 and not compressed.');
  const body = new QuestionBody(room);
  try {
    const whole = await body.read(request);
    if (typeof whole === 'string') return DROPPED[whole];
    await turns.next();
    const reply = json(await answer(policies.current, whole, fieldsOf(request), length));
    length.reach(reply.body.length);
    return reply;
  } catch (error) {
    return refusal(error);
  } finally {
    body.close();
  }
}

function isPlainJson({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return JSON_TYPE.test(headers['content-type'] ?? '') && encoding.toLowerCase() === 'identity';
}

function fieldsOf({ rawHeaders }: IncomingMessage): HeaderFields {
  const pairs = rawHeaders.map((name, i) => [name, rawHeaders[i + 1] ?? ''] as const);
  return pairs.filter((_, i) => i % 2 === 0);
}

function json(decision: unknown): Reply {
  const body = JSON.stringify(decision);
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body };
}

const REFUSAL_HEADERS: Partial<Record<PdpRefusal['status'], Reply['headers']>> = {
  401: { 'www-authenticate': 'Bearer' },
  503: RETRY_SOON,
};

function refusal(error: unknown): Reply {
  if (!(error instanceof PdpRefusal)) throw error;
  return sentence(error.status, error.message, REFUSAL_HEADERS[error.status]);
}

function methodNotAllowed(allow: string): Reply {
  return sentence(405, 'The method is not allowed here.', { allow });
}

/** A reply of one sentence. */
export function sentence(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}
