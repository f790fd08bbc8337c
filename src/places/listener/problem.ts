import type { ErrorCode, ServiceError } from '../../errors.ts';

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

export function problemFrom(error: ServiceError, requestId?: string): Problem {
  const { code, title, status, message, errors } = error;
  return {
    type: problemType(code),
    title,
    status,
    detail: message,
    ...(requestId === undefined ? {} : { instance: requestId }),
    ...(errors.length > 0 ? { errors } : {}),
  };
}

/** What names an error for programs. */
export function problemType(code: ErrorCode): string {
  return `urn:authz-jsonmasking:error:${code}`;
}
