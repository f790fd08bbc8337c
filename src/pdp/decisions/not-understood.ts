import { JsonSyntaxError, jsonPointer, type JsonDepthError } from '../../core/index.ts';
import { ServiceError } from '../../errors.ts';
import { shortened } from '../../shortened.ts';

/** A name that an error may show: a word or a path. Addresses, sentences and the like are somebody's data. */
const PLAIN = /^[\w$.-]{1,64}$/;

/** A part of a decision (RFC 6901): names and indexes from the top. */
export type JsonPointer = readonly (string | number)[];

/** Where something is that is read without its place: if it is wrong, it is read again with its place. */
export const NOWHERE: JsonPointer = [];

/** A place that is made only if it is shown: the places of all parts of what is deep would be far larger than it. */
export type Place = JsonPointer | (() => JsonPointer);

export function placeFrom(place: Place): JsonPointer {
  return typeof place === 'function' ? place() : place;
}

/** Reads something whose place takes long to make: if it is wrong, it is read again with its place. */
export function readAt<T>(place: () => JsonPointer, read: (place: JsonPointer) => T): T {
  try {
    return read(NOWHERE);
  } catch {
    return read(place());
  }
}

/** The place of a part of something. */
export function within(place: JsonPointer, part: string | number): JsonPointer {
  return place === NOWHERE ? NOWHERE : [...place, part];
}

/**
 * The error for a decision that is not understood: the problem and its place, without a value of the decision. Names that are no plain
 * words are left out of the place.
 */
export function notUnderstood(problem: string, place: Place): ServiceError {
  const made = placeFrom(place);
  if (made.length === 0) return failure(problem);
  const steps = made.map((step) => (PLAIN.test(String(step)) ? step : '…'));
  const quoted = steps.filter((step) => typeof step === 'string');
  return failure(`${problem} at ${shortened(jsonPointer(steps))}`, { quoted });
}

/** The error for a name that occurs twice in one object. @param place of the name */
export function repeatedName(place: JsonPointer): ServiceError {
  return notUnderstood('a name that occurs twice', place);
}

/** The error for an answer that cannot be read as JSON. The problem names a byte and quotes nothing. */
export function notJson(answer: Uint8Array, cause: JsonSyntaxError | JsonDepthError): ServiceError {
  const problem =
    cause instanceof JsonSyntaxError ? `it is not JSON (${cause.message})` : 'it nests too deeply';
  return failure(answer.length === 0 ? 'it is empty' : problem, { cause });
}

function failure(problem: string, options: { cause?: Error; quoted?: readonly string[] } = {}): ServiceError {
  const detail = `The decision of the PDP is not understood: ${problem}.`;
  return new ServiceError('decision-not-understood', detail, options);
}
