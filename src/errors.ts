/**
 * Every error that the service answers with, and its title. Each place says what it makes of a code: the HTTP status is in
 * `places/listener/status.ts`. Tests compare `docs/errors.md` and the OpenAPI description with both.
 */
export const ERROR_TITLES = {
  'body-not-json': 'The body is not valid JSON',
  'http-malformed': 'The message is not valid HTTP',
  'request-invalid': 'The request is not valid',
  'path-ambiguous': 'The path has more than one meaning',
  'variable-missing': 'The request lacks what its route needs',
  'token-refused': 'The request has no valid token',
  'pdp-unauthorized': 'The PDP did not authenticate the request',
  'pdp-forbidden': 'The PDP refused the request',
  'route-refused': 'The path is refused',
  'upgrade-refused': 'The connection cannot be upgraded',
  'access-denied': 'The PDP denies access',
  'path-not-found': 'The path does not exist',
  'method-not-allowed': 'The method is not allowed here',
  'request-timeout': 'The request took too long to arrive',
  'body-too-large': 'The body is too large',
  'media-type-unsupported': 'The body is not in a supported format',
  'root-not-found': 'The root is not in the payload',
  'asset-id-not-found': 'No asset identifier is in the payload',
  'nesting-too-deep': 'The body is nested too deeply',
  'answer-too-large': 'The answer would be too large',
  'enforcement-too-costly': 'The payload would take too long to enforce',
  'headers-too-large': 'The header fields are too large',
  'internal-error': 'The service failed',
  'pdp-unreachable': 'The PDP cannot be reached',
  'pdp-failed': 'The PDP failed',
  'response-not-enforceable': 'The answer of the application cannot be enforced',
  'upstream-unreachable': 'The application cannot be reached',
  'upstream-failed': 'The application failed',
  'decision-not-understood': 'The decision of the PDP is not understood',
  'request-loop': 'The request goes in circles',
  'identity-unavailable': 'The identity provider is not available',
  'not-ready': 'The service is not ready',
  draining: 'The service is shutting down',
  overloaded: 'The service has too much to do',
  'upstream-timeout': 'The application did not answer in time',
  'pdp-timeout': 'The PDP did not answer in time',
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof ERROR_TITLES;

/** For an error that is over soon: when to try again, in seconds. */
export const RETRY_SOON = { 'Retry-After': '1' };

/** An error whose message says what to do. The command line prints only the message. */
export class ExplainedError extends Error {}

/** One of several problems with a request: its place (JSON pointer, RFC 6901) and what is accepted there. */
export interface FieldProblem {
  readonly pointer: string;
  readonly detail: string;
}

/** More problems than these help nobody, and the answer must stay small. */
export const MAX_PROBLEMS = 100;

interface ServiceErrorOptions {
  /** Every problem with its place, if there are several; the first {@link MAX_PROBLEMS} are kept. */
  readonly errors?: readonly FieldProblem[];
  /** Headers that the answer must carry, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The detail for the caller of `/enforce`, in place of the message. It may quote the PDP or the caller's own header, so no
   * log, trace, metric or client of another place gets it.
   */
  readonly callerDetail?: string | undefined;
  /** Headers for the caller of `/enforce`, in place of those of the same names: they quote the PDP, too. */
  readonly callerHeaders?: Readonly<Record<string, string>>;
  /** Names of the PDP's answer that the message shows: `pdp/decisions/quotes.ts` takes the message away if they are confidential. */
  readonly quoted?: readonly string[];
  /** For the log only. It must not be something that carries payload values, secrets or tokens. */
  readonly cause?: unknown;
}

/**
 * An error with two texts: the caller of `/enforce` gets `callerDetail`, `callerHeaders` and `errors`, the log gets the message and
 * `cause`. Neither quotes payload values, secrets or tokens.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;
  readonly callerDetail: string;
  readonly callerHeaders: Readonly<Record<string, string>>;
  readonly quoted: readonly string[];

  constructor(code: ErrorCode, detail: string, options: ServiceErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.errors = options.errors?.slice(0, MAX_PROBLEMS) ?? [];
    this.headers = options.headers ?? {};
    this.callerDetail = options.callerDetail ?? detail;
    this.callerHeaders = { ...options.headers, ...options.callerHeaders };
    this.quoted = options.quoted ?? [];
  }

  get title(): string {
    return ERROR_TITLES[this.code];
  }
}

/**
 * The error for a token that is not accepted, with its challenge (RFC 6750 §3).
 *
 * @param sentence for the caller
 * @param description for the challenge, in which quotes and backslashes would have to be escaped
 */
export function invalidToken(sentence: string, description = sentence): ServiceError {
  const quotable = description.replaceAll(/[`"\\]/gu, "'");
  const challenge = `Bearer error="invalid_token", error_description="${quotable}"`;
  return new ServiceError('token-refused', sentence, { headers: { 'WWW-Authenticate': challenge } });
}
