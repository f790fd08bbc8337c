import { ServiceError } from '../../../errors.ts';
import type { PdpPort } from '../../port.ts';
import { answerQuestion } from './answer.ts';
import type { PolicyFile } from './policy.ts';
import { PdpRefusal } from './refusal.ts';

/**
 * The PDP inside the service: evaluates a policy file and answers as a PDP does (enforcement §5). It needs nothing from
 * the network, so it is connected until it is closed.
 *
 * @param file from `loadPolicyFile`
 */
export function createEmbeddedPdp(file: PolicyFile): PdpPort {
  let closed = false;
  return {
    async decide(question) {
      if (closed) throw new ServiceError('pdp-unreachable', 'The PDP is closed.');
      question.signal?.throwIfAborted();
      return answerQuestion(file, question).catch((error: unknown) => {
        throw error instanceof PdpRefusal ? refused(error) : error;
      });
    },
    connection: () =>
      Promise.resolve(closed ? { connected: false, reason: 'The PDP is closed.' } : { connected: true }),
    close() {
      closed = true;
      return Promise.resolve();
    },
  };
}

/** The error that a PDP over HTTP with the same answer would cause, except that a caller's mistake is the caller's. */
function refused({ status, message, problems }: PdpRefusal): ServiceError {
  if (status === 401)
    return new ServiceError('pdp-unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
  if (status === 403) return new ServiceError('pdp-forbidden', message);
  if (problems.length === 0) return new ServiceError('pdp-failed', `The PDP refused the request: ${message}`);
  const errors = problems.map(({ pointer, detail }) => ({ pointer: pointer && `/vendor${pointer}`, detail }));
  return new ServiceError('request-invalid', message, { errors });
}
