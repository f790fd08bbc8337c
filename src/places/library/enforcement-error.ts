import type { ErrorCode, FieldProblem, ServiceError } from '../../errors.ts';
import { statusOf } from '../listener/index.ts';

/** Why there is no enforced payload. The codes are those of the service (`docs/errors.md`). */
export class EnforcementError extends Error {
  override readonly name = 'EnforcementError';
  readonly code: ErrorCode;
  /** The HTTP status with which the service answers this error. */
  readonly status: number;
  /** The same for every error of this code. */
  readonly title: string;
  /** The problems with single parts of the options, by JSON pointer; often none. */
  readonly errors: readonly FieldProblem[];
  /** Header fields that an HTTP answer should carry, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #detail: string;

  /** The message quotes no payload, no secret and no token, so it may be logged and sent to clients. */
  constructor(error: ServiceError) {
    super(error.message);
    this.code = error.code;
    this.status = statusOf(error.code);
    this.title = error.title;
    this.errors = error.errors;
    this.headers = error.headers;
    this.#detail = error.callerDetail;
  }

  /**
   * The message, or what the PDP says instead. For whoever calls the enforcer: it can quote the PDP or a header, so do not
   * log it and do not send it to clients.
   */
  get detail(): string {
    return this.#detail;
  }
}
