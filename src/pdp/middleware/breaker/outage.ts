import { ServiceError } from '../../../errors.ts';
import { ErrorStatus } from '../../error-status.ts';

/**
 * Whether an error says that the PDP is down, whoever asks: it cannot be reached, does not answer in time, or answers with
 * a 5xx status. That it refuses a caller, or a question, says that it is there.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const { code, cause } = error;
  if (code === 'pdp-failed') return cause instanceof ErrorStatus && cause.status >= 500;
  return code === 'pdp-unreachable' || code === 'pdp-timeout';
}
