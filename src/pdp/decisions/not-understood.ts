import { jsonPointer } from '../../core/index.ts';
import { ServiceError } from '../../errors.ts';

/** A part of a decision (RFC 6901): names and indexes from the top. */
export type JsonPointer = readonly (string | number)[];

/** The error for a decision that is not understood: the problem and its place, without a value of the decision. */
export function notUnderstood(problem: string, place: JsonPointer): ServiceError {
  const pointer = jsonPointer(place);
  return new ServiceError(
    'decision-not-understood',
    `The decision of the PDP is not understood: ${problem} at ${pointer || '/'}.`,
  );
}
