import type { IncomingMessage } from 'node:http';
import type { BodyRoom } from './body-room.ts';
import type { CalculationType, HeaderFields } from '../../port.ts';
import { decide } from './answer.ts';
import { AUTHZEN_PATHS, authzenConfiguration, evaluateOne, evaluateSeveral } from './authzen.ts';
import type { PolicyFile } from '../../policies/index.ts';
import type { CurrentPolicies } from './policy-file/watch.ts';
import { readQuestion } from './question.ts';
import { PdpRefusal } from './refusal.ts';
import { Collected } from '../../../core/index.ts';

/** What is answered to a request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The longest question, in bytes: one in context mode lists every asset of a payload. */
export const MAX_BODY = 16 * 1024 * 1024;

const TOO_LONG = sentence(413, `The body may have at most ${MAX_BODY} bytes.`, { connection: 'close' });
const NO_ROOM = sentence(503, 'Too many questions arrive at once.', {
  'retry-after': '1',
  connection: 'close',
});

/** Answers the body of a question. */
type AnswerBody = (policies: PolicyFile, body: Uint8Array, headers: HeaderFields) => Promise<unknown>;

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
interface Answering {
  readonly policies: CurrentPolicies;
  readonly room: BodyRoom;
}

/**
 * Answers a request to the PDP. Every answer other than a decision has a status and a short sentence.
 *
 * @throws Error if the request breaks off
 */
export async function replyTo(request: IncomingMessage, answering: Answering): Promise<Reply> {
  const path = request.url?.split('?', 1)[0] ?? '';
  const answer = ANSWERS.get(path);
  if (answer !== undefined) return replyToQuestion(request, answer, answering);
  if (path === AUTHZEN_PATHS.configuration) return replyToDiscovery(request);
  return HEALTH.has(path) ? replyToProbe(request) : sentence(404, 'This path does not exist.');
}

function replyToProbe({ method }: IncomingMessage): Reply {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead ? sentence(200, 'OK') : methodNotAllowed('GET, HEAD');
}

function decisionBy(calculationType: CalculationType): AnswerBody {
  return (policies, body, headers) => decide(policies, calculationType, readQuestion(body), headers);
}

/** The address is the one that was asked, as far as the server can know it. */
function replyToDiscovery({ method, headers }: IncomingMessage): Reply {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead ? json(authzenConfiguration(`http://${headers.host ?? ''}`)) : methodNotAllowed('GET, HEAD');
}

async function replyToQuestion(
  request: IncomingMessage,
  answer: AnswerBody,
  { policies, room }: Answering,
): Promise<Reply> {
  if (request.method !== 'POST') return methodNotAllowed('POST');
  if (!isPlainJson(request))
    return sentence(415, 'The body must be application/json, in UTF-8 and not compressed.');
  const body = new QuestionBody(room);
  try {
    const whole = await body.read(request);
    if (!(whole instanceof Uint8Array)) return whole;
    return json(await answer(policies.current, whole, fieldsOf(request)));
  } catch (error) {
    return refusal(error);
  } finally {
    body.giveUp();
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

function refusal(error: unknown): Reply {
  if (!(error instanceof PdpRefusal)) throw error;
  return sentence(error.status, error.message, error.status === 401 ? { 'www-authenticate': 'Bearer' } : {});
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

/** The body of a question, for which there is room as long as it is answered. */
class QuestionBody {
  readonly #room: BodyRoom;
  #taken = 0;

  constructor(room: BodyRoom) {
    this.#room = room;
  }

  /**
   * Reads a body. One that is too long, or for which there is no room, is read to its end and dropped, so that its sender gets an answer
   * instead of a broken connection.
   *
   * @returns the body, or why it is dropped
   * @throws Error if the sender goes away before the end
   */
  read(request: IncomingMessage): Promise<Uint8Array | Reply> {
    return new Promise((resolve, reject) => {
      let body: Collected | undefined = new Collected();
      const drop = (reply: Reply): void => {
        body = undefined;
        resolve(reply);
      };
      request.on('data', (chunk: Buffer) => {
        if (body === undefined) return;
        if (this.#taken + chunk.length > MAX_BODY) drop(TOO_LONG);
        else if (this.#takes(chunk.length)) body.add(chunk);
        else drop(NO_ROOM);
      });
      request.on('end', () => {
        if (body) resolve(body.take());
      });
      request.on('error', reject);
    });
  }

  giveUp(): void {
    this.#room.give(this.#taken);
    this.#taken = 0;
  }

  #takes(bytes: number): boolean {
    const hasRoom = this.#room.take(bytes, this.#taken);
    if (hasRoom) this.#taken += bytes;
    return hasRoom;
  }
}
