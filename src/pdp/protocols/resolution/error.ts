import { jsonPointer } from '../../../core/index.ts';
import { ServiceError } from '../../../errors.ts';

/** Where something stands in a decision: names and indexes from its top. */
export type Place = readonly (string | number)[];

/** The decision is not understood (enforcement §5): what is wrong, and where, without quoting what stands there. */
export function notUnderstood(problem: string, place: Place): ServiceError {
  const pointer = jsonPointer(place);
  return new ServiceError(
    'decision-not-understood',
    `The decision of the PDP is not understood: ${problem} at ${pointer || '/'}.`,
  );
}
