import { ServiceError } from '../../errors.ts';
import type { Asked } from '../port.ts';

/** The outcome of a failed call by its code alone: the reason of a PDP may name a user. */
export function outcomeOf(error: unknown, { signal }: Asked): string {
  if (signal?.aborted === true) return 'cancelled';
  return error instanceof ServiceError ? error.code : 'internal-error';
}
