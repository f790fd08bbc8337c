import { ServiceError, type ErrorCode } from '../../errors.ts';
import { notEnforceable } from './head.ts';

/** Errors that are the caller's fault at `/enforce`, and upstream's where the payload is an answer of upstream. */
const OF_THE_PAYLOAD: ReadonlySet<ErrorCode> = new Set([
  'body-not-json',
  'nesting-too-deep',
  'root-not-found',
  'asset-id-not-found',
  'answer-too-large',
]);

/** An error of enforcement, as the client of a place gets it that enforces answers of upstream. */
export function upstreamProblem(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (error.code === 'request-invalid') return notEnforceable('is neither an object nor an array');
  if (!OF_THE_PAYLOAD.has(error.code)) return error;
  return new ServiceError('response-not-enforceable', error.message);
}
