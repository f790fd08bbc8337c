import { ServiceError, type ErrorCode } from '../../errors.ts';

/** The error for an answer that cannot be read, and so not be enforced. @param reason ends a sentence */
export function notEnforceable(reason: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'response-not-enforceable',
    `The answer of the application cannot be enforced: ${reason}.`,
    { cause },
  );
}

/** What `/enforce` says of a payload that its caller sent. Here the application sent it, and the client cannot help it. */
const OF_PAYLOADS: ReadonlySet<ErrorCode> = new Set([
  'answer-too-large',
  'asset-id-not-found',
  'body-not-json',
  'body-too-large',
  'enforcement-too-costly',
  'nesting-too-deep',
  'request-invalid',
  'root-not-found',
]);

/** An error of enforcement as the client gets it of a place that enforces answers of an application. */
export function asAnswerProblem<E>(error: E): E | ServiceError {
  if (!(error instanceof ServiceError) || !OF_PAYLOADS.has(error.code)) return error;
  const [problem] = error.errors;
  const sentence = problem?.pointer === '/json' ? problem.detail : error.message;
  return notEnforceable(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/u, '')}`, {
    code: error.code,
  });
}
