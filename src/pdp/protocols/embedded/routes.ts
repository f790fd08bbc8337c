import type { IncomingMessage } from 'node:http';
import type { CalculationType, HeaderFields } from '../../port.ts';
import { decide } from './answer.ts';
import type { Decision } from './decision.ts';
import type { PolicyFile } from './policy.ts';
import { readQuestion } from './question.ts';
import { PdpRefusal } from './refusal.ts';
import { readBody } from './request-body.ts';

/** What is answered to a request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The most that a question may have, in bytes: one in context lists every asset of a payload (enforcement §4). */
const MAX_BODY = 16 * 1024 * 1024;

/** The default paths of specification 2.4. */
const CALCULATIONS: ReadonlyMap<string, CalculationType> = new Map([
  ['/api/runtime/resolution/v3', 'resolution'],
  ['/api/runtime/token/v3', 'context'],
]);
const HEALTH: ReadonlySet<string> = new Set(['/health/liveness', '/health/readiness']);

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/**
 * Answers a request to the PDP. Whatever is no decision is answered with a status and a short sentence.
 *
 * @throws Error where the request breaks off
 */
export async function replyTo(request: IncomingMessage, policies: PolicyFile): Promise<Reply> {
  const path = request.url?.split('?', 1)[0] ?? '';
  const calculationType = CALCULATIONS.get(path);
  if (calculationType !== undefined) return replyToQuestion(request, calculationType, policies);
  return HEALTH.has(path) ? replyToProbe(request) : sentence(404, 'There is no such path.');
}

function replyToProbe({ method }: IncomingMessage): Reply {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead ? sentence(200, 'OK') : methodNotAllowed('GET, HEAD');
}

async function replyToQuestion(
  request: IncomingMessage,
  calculationType: CalculationType,
  policies: PolicyFile,
): Promise<Reply> {
  if (request.method !== 'POST') return methodNotAllowed('POST');
  if (!isPlainJson(request))
    return sentence(415, 'The body must be application/json, in UTF-8 and not compressed.');
  const body = await readBody(request, MAX_BODY);
  if (body === undefined)
    return sentence(413, `The body may have at most ${MAX_BODY} bytes.`, { connection: 'close' });
  try {
    return json(await decide(policies, calculationType, readQuestion(body), fieldsOf(request)));
  } catch (error) {
    return refusal(error);
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

function json(decision: Decision): Reply {
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
