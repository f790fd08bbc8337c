import { ServiceError, type ErrorCode } from '../../errors.ts';
import { notEnforceable } from './records/splitter.ts';

/** What `/enforce` says of a payload that its caller sent. Here the application sent it, and the client cannot help it. */
const OF_PAYLOADS: ReadonlySet<ErrorCode> = new Set([
  'answer-too-large',
  'asset-id-not-found',
  'body-not-json',
  'nesting-too-deep',
  'request-invalid',
  'root-not-found',
]);

/** An error of enforcement as the proxy answers it. */
export function asAnswerProblem(error: unknown): unknown {
  if (!(error instanceof ServiceError) || !OF_PAYLOADS.has(error.code)) return error;
  const [problem] = error.errors;
  const sentence = problem?.pointer === '/json' ? problem.detail : error.message;
  return notEnforceable(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/u, '')}`, {
    code: error.code,
  });
}
