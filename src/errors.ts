/**
 * The catalogue of every error that the service answers with. Each code is written here once; tests compare
 * `docs/errors.md` and the OpenAPI description with it.
 */
export const ERROR_CATALOGUE = {
  'body-not-json': { status: 400, title: 'The body is not valid JSON' },
  'http-malformed': { status: 400, title: 'The message is not valid HTTP' },
  'request-invalid': { status: 400, title: 'The request is not valid' },
  'path-ambiguous': { status: 400, title: 'The path has more than one meaning' },
  'variable-missing': { status: 400, title: 'The request lacks what its route needs' },
  'token-refused': { status: 401, title: 'The request has no valid token' },
  'pdp-unauthorized': { status: 401, title: 'The PDP did not authenticate the request' },
  'pdp-forbidden': { status: 403, title: 'The PDP refused the request' },
  'route-refused': { status: 403, title: 'The path is refused' },
  'upgrade-refused': { status: 403, title: 'The connection cannot be upgraded' },
  'access-denied': { status: 403, title: 'The PDP denies access' },
  'path-not-found': { status: 404, title: 'The path does not exist' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'media-type-unsupported': { status: 415, title: 'The body is not in a supported format' },
  'root-not-found': { status: 422, title: 'The root is not in the payload' },
  'asset-id-not-found': { status: 422, title: 'No asset identifier is in the payload' },
  'nesting-too-deep': { status: 422, title: 'The body is nested too deeply' },
  'answer-too-large': { status: 422, title: 'The answer would be too large' },
  'headers-too-large': { status: 431, title: 'The header fields are too large' },
  'internal-error': { status: 500, title: 'The service failed' },
  'pdp-unreachable': { status: 502, title: 'The PDP cannot be reached' },
  'pdp-failed': { status: 502, title: 'The PDP failed' },
  'response-not-enforceable': { status: 502, title: 'The answer of the application cannot be enforced' },
  'upstream-unreachable': { status: 502, title: 'The application cannot be reached' },
  'upstream-failed': { status: 502, title: 'The application failed' },
  'decision-not-understood': { status: 502, title: 'The decision of the PDP is not understood' },
  'request-loop': { status: 508, title: 'The request goes in circles' },
  'identity-unavailable': { status: 503, title: 'The identity provider is not available' },
  'not-ready': { status: 503, title: 'The service is not ready' },
  draining: { status: 503, title: 'The service is shutting down' },
  overloaded: { status: 503, title: 'The service has too much to do' },
  'upstream-timeout': { status: 504, title: 'The application did not answer in time' },
  'pdp-timeout': { status: 504, title: 'The PDP did not answer in time' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** An error whose message tells a person at a terminal what to do: only the message is printed. */
export class ExplainedError extends Error {}

/** One of several problems with a request: its place (JSON pointer, RFC 6901) and what is accepted there. */
export interface FieldProblem {
  readonly pointer: string;
  readonly detail: string;
}

interface ServiceErrorOptions {
  /** Every problem with its place, if there are several. */
  readonly errors?: readonly FieldProblem[];
  /** Headers that the answer must carry, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The detail for the caller of `/enforce`, in place of the message. It may quote the PDP or the caller's own header, so no
   * log, trace, metric or client of another place gets it.
   */
  readonly callerDetail?: string | undefined;
  /** For the log only. It must not be something that carries payload values, secrets or tokens. */
  readonly cause?: unknown;
}

/**
 * An error with two texts: the caller of `/enforce` gets `callerDetail` and `errors`, the log gets the message and
 * `cause`. Neither quotes payload values, secrets or tokens.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;
  readonly callerDetail: string;

  constructor(code: ErrorCode, detail: string, options: ServiceErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.callerDetail = options.callerDetail ?? detail;
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }

  get title(): string {
    return ERROR_CATALOGUE[this.code].title;
  }
}
