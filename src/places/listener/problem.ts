import type { ErrorCode, ServiceError } from '../../errors.ts';
import { statusOf } from './status.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** An error as the caller gets it (RFC 9457; docs/errors.md). */
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
  const { code, title, errors } = error;
  return {
    type: problemType(code),
    title,
    status: statusOf(code),
    detail,
    ...(requestId === undefined ? {} : { instance: requestId }),
    ...(errors.length > 0 ? { errors } : {}),
  };
}

/** What names an error for programs. */
export function problemType(code: ErrorCode): string {
  return `urn:authz-jsonmasking:error:${code}`;
}
