import { AxiosError, isAxiosError } from 'axios';
import { ServiceError } from '../../errors.ts';
import type { Limits } from './limits.ts';
import { PARSER } from './transport.ts';

/** Node's code for zlib output beyond `maxOutputLength`. */
const TOO_LARGE_DECOMPRESSED = 'ERR_BUFFER_TOO_LARGE';

/** What of an error may go into the log: axios' own would take the token and the body along. */
class PlainCause extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The error for an exchange without a complete answer.
 *
 * @param error what axios threw
 * @returns `pdp-unreachable` if the PDP sent nothing, `pdp-failed` if it did
 */
export function exchangeFailure(error: unknown, limits: Limits): ServiceError {
  const cause = plainCause(error);
  if (cause.code.startsWith(PARSER)) return failed('The PDP did not answer in valid HTTP.', cause);
  if (cause.code !== AxiosError.ERR_BAD_RESPONSE) {
    return new ServiceError('pdp-unreachable', `The PDP cannot be reached (${cause.code}).`, { cause });
  }
  return hasBegunToAnswer(error)
    ? failed('The answer of the PDP ended early.', cause)
    : tooLarge(limits, cause);
}

/** Why the body of an answer could not be decompressed. */
export function decompressionFailure(error: unknown, limits: Limits): ServiceError {
  const cause = plainCause(error);
  return cause.code === TOO_LARGE_DECOMPRESSED
    ? tooLarge(limits, cause)
    : failed('The answer of the PDP cannot be decompressed.', cause);
}

/** The whole exchange took longer than it may. */
export function timeoutFailure({ timeout }: Limits): ServiceError {
  return new ServiceError('pdp-timeout', `The PDP did not answer within ${timeout} ms.`);
}

/** The answers to the messages of one question have more bytes together than allowed. */
export function answersTooLarge(maxBytes: number): ServiceError {
  return new ServiceError('pdp-failed', `The answers of the PDP are larger than ${maxBytes} bytes together.`);
}

/** The adapter was closed before or while it was asked. */
export function closedFailure(): ServiceError {
  return new ServiceError('pdp-unreachable', 'The connection to the PDP is closed.');
}

function tooLarge({ maxAnswerBytes }: Limits, cause: PlainCause): ServiceError {
  return failed(`The answer of the PDP is larger than ${maxAnswerBytes} bytes.`, cause);
}

function failed(detail: string, cause: PlainCause): ServiceError {
  return new ServiceError('pdp-failed', detail, { cause });
}

/** Axios names the response in the error of a truncated answer, not in that of one that is too large. */
function hasBegunToAnswer(error: unknown): boolean {
  return isAxiosError(error) && error.response !== undefined;
}

function plainCause(error: unknown): PlainCause {
  if (!Error.isError(error)) return new PlainCause('UNKNOWN', '');
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return new PlainCause(code, error.message);
}
