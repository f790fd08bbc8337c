import { ServiceError } from '../../../errors.ts';

/** HTTP statuses with which the PDP refuses a question. */
type RefusalStatus = 400 | 401 | 403;

/**
 * A question that gets no decision. The message is a short sentence for whoever asked: it names what is wrong, and never
 * quotes a secret or a token.
 */
export class PdpRefusal extends Error {
  readonly status: RefusalStatus;

  constructor(status: RefusalStatus, reason: string) {
    super(reason);
    this.name = 'PdpRefusal';
    this.status = status;
  }
}

/** A name from the question as it may stand in an answer: on one line, and no longer than names are. */
export function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

/** What is thrown when a PDP that is asked over HTTP answers the same status. */
export function serviceErrorFrom({ status, message }: PdpRefusal): ServiceError {
  if (status === 401)
    return new ServiceError('pdp-unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
  if (status === 403) return new ServiceError('pdp-forbidden', message);
  return new ServiceError('pdp-failed', `The PDP refused the request: ${message}`);
}
