import { ServiceError, type FieldProblem } from '../../../errors.ts';
import { shortened } from '../../../shortened.ts';

/** HTTP statuses with which the PDP refuses a question. */
type RefusalStatus = 400 | 401 | 403 | 503;

/**
 * A question that gets no decision. The message is a short sentence for the caller: it names what is wrong, and never
 * quotes a secret or a token.
 */
export class PdpRefusal extends Error {
  readonly status: RefusalStatus;
  /** What the caller has to change: pointers into the question, or an empty one. None if it is no mistake of the caller. */
  readonly problems: readonly FieldProblem[];

  constructor(status: RefusalStatus, reason: string, problems: readonly FieldProblem[] = []) {
    super(reason);
    this.name = 'PdpRefusal';
    this.status = status;
    this.problems = problems;
  }
}

/** A name from the question as it may appear in an answer: on one line, and not too long. */
export function quoted(name: string): string {
  return JSON.stringify(shortened(name));
}

/**
 * What is thrown when a PDP that is asked over HTTP answers the same status, except that a caller's mistake is the
 * caller's.
 */
export function serviceErrorFrom({ status, message, problems }: PdpRefusal): ServiceError {
  const callerDetail = message;
  if (status === 401) {
    const headers = { 'WWW-Authenticate': 'Bearer' };
    return new ServiceError('pdp-unauthorized', 'The PDP does not admit the caller.', {
      headers,
      callerDetail,
    });
  }
  if (status === 403)
    return new ServiceError('pdp-forbidden', 'The PDP refuses the request.', { callerDetail });
  if (problems.length === 0)
    return new ServiceError('pdp-failed', 'The PDP refused the request.', { callerDetail });
  const errors = problems.map(({ pointer, detail }) => ({ pointer: pointer && `/vendor${pointer}`, detail }));
  return new ServiceError('request-invalid', message, { errors });
}
