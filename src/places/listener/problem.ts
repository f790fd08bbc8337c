import { ServiceError, type ErrorCode } from '../../errors.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** An error as the caller gets it (RFC 9457, enforcement §10). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The request's id. */
  readonly instance?: string;
  readonly errors?: ServiceError['errors'];
}

/**
 * @param requestId undefined if the message never became a request
 * @param detail what the client may read of the error
 */
export function problemFrom(error: ServiceError, requestId?: string, detail = error.message): Problem {
  const { code, title, status, errors } = error;
  return {
    type: problemType(code),
    title,
    status,
    detail,
    ...(requestId === undefined ? {} : { instance: requestId }),
    ...(errors.length > 0 ? { errors } : {}),
  };
}

/** What names an error for programs. */
export function problemType(code: ErrorCode): string {
  return `urn:authz-jsonmasking:error:${code}`;
}

/** Any error as one of the catalogue. */
export function serviceErrorFrom(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('internal-error', 'The service failed.', { cause: framesOf(error) });
}

/** Where a fault happened, without its message, which may quote what it stumbled over. */
function framesOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line));
  return { name: error.name, frames: frames.map((frame) => frame.trim()) };
}
