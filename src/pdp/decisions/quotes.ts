import { ServiceError } from '../../errors.ts';
import type { Message, Sent } from '../port.ts';
import { quotesConfidential } from './confidential.ts';

const NOT_SHOWN = 'What is wrong with the answer is not shown: names in it quote credentials or identifiers.';

/**
 * What was thrown when an answer was read, or another error with its code if names of the answer that its message shows quote
 * anything confidential: an answer may have members that are named after assets or users.
 *
 * @param messages what the PDP was asked
 * @param headers of each message
 */
export function withoutQuotes(
  error: unknown,
  messages: readonly Message[],
  headers: Sent['headers'],
): unknown {
  if (!(error instanceof ServiceError) || error.quoted.length === 0) return error;
  const names = error.quoted.join(' ');
  if (!messages.some((message) => quotesConfidential(names, { ...message, headers }))) return error;
  return new ServiceError(error.code, `${error.title}. ${NOT_SHOWN}`);
}
