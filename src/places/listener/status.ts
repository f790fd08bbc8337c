import type { ErrorCode } from '../../errors.ts';

/** The HTTP status of each error: of the service's own answers, of the proxy's, the processor's and the library's. */
export const ERROR_STATUS = {
  'body-not-json': 400,
  'http-malformed': 400,
  'request-invalid': 400,
  'path-ambiguous': 400,
  'variable-missing': 400,
  'token-refused': 401,
  'pdp-unauthorized': 401,
  'pdp-forbidden': 403,
  'route-refused': 403,
  'upgrade-refused': 403,
  'access-denied': 403,
  'path-not-found': 404,
  'method-not-allowed': 405,
  'request-timeout': 408,
  'body-too-large': 413,
  'media-type-unsupported': 415,
  'root-not-found': 422,
  'asset-id-not-found': 422,
  'nesting-too-deep': 422,
  'answer-too-large': 422,
  'enforcement-too-costly': 422,
  'headers-too-large': 431,
  'internal-error': 500,
  'pdp-unreachable': 502,
  'pdp-failed': 502,
  'response-not-enforceable': 502,
  'upstream-unreachable': 502,
  'upstream-failed': 502,
  'decision-not-understood': 502,
  'request-loop': 508,
  'identity-unavailable': 503,
  'not-ready': 503,
  draining: 503,
  overloaded: 503,
  'upstream-timeout': 504,
  'pdp-timeout': 504,
} as const satisfies Record<ErrorCode, number>;

export function statusOf(code: ErrorCode): number {
  return ERROR_STATUS[code];
}
