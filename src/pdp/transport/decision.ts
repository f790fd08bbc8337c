import { ServiceError } from '../../errors.ts';
import { ErrorStatus } from '../error-status.ts';
import { quotesConfidential } from './confidential.ts';
import { decompressed } from './decompress.ts';
import type { Answer, Sent } from './exchange.ts';
import { decompressionFailure } from './failure.ts';
import type { Limits } from './limits.ts';
import { refusalReason } from './reason.ts';

/** The challenge where the PDP sends none that may be passed on: RFC 9110 §15.5.2 demands one of a 401. */
const DEFAULT_CHALLENGE = 'Bearer';

/**
 * The decision in an answer of the PDP: the body of a successful one, decompressed.
 *
 * @throws ServiceError `pdp-unauthorized` or `pdp-forbidden` where the PDP says so, `pdp-failed` for any other status,
 *   redirects included, and where the body cannot be decompressed within its bounds (enforcement §10)
 */
export async function decisionIn(answer: Answer, question: Sent, limits: Limits): Promise<Uint8Array> {
  const { status } = answer;
  if (status >= 200 && status < 300) return bodyOf(answer, limits);
  if (status === 401) throw unauthorized(answer, question, await reasonIn(answer, question, limits));
  if (status === 403) throw forbidden(await reasonIn(answer, question, limits));
  const cause = new ErrorStatus(status);
  throw new ServiceError('pdp-failed', `The PDP answered with status ${status}.`, { cause });
}

function unauthorized({ challenge }: Answer, question: Sent, reason: string | undefined): ServiceError {
  const isFit = challenge !== undefined && !quotesConfidential(challenge, question);
  const headers = { 'WWW-Authenticate': isFit ? challenge : DEFAULT_CHALLENGE };
  return new ServiceError('pdp-unauthorized', reason ?? 'The PDP gave no reason.', { headers });
}

function forbidden(reason: string | undefined): ServiceError {
  return new ServiceError('pdp-forbidden', reason ?? 'The PDP gave no reason.');
}

async function bodyOf({ body, encoding }: Answer, limits: Limits): Promise<Uint8Array> {
  try {
    return await decompressed(body, encoding, limits.maxAnswerBytes);
  } catch (error) {
    throw decompressionFailure(error, limits);
  }
}

/** That a reason cannot be read changes nothing about the refusal. */
async function reasonIn(answer: Answer, question: Sent, limits: Limits): Promise<string | undefined> {
  const body = await bodyOf(answer, limits).catch(() => undefined);
  return body && refusalReason(body, question);
}
