import type { Question } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import type { Message } from '../port.ts';
import { reasonIn } from './reason.ts';

/** What else an error about a denial has, as every {@link ServiceError}. */
interface DenialOptions {
  /** The reason, for the caller alone. */
  readonly callerDetail?: string | undefined;
  /** Names of the answer that the message shows. */
  readonly quoted?: readonly string[];
}

/** The PDP denies the request as a whole. */
export function denied(message = 'The PDP denies the request.', options: DenialOptions = {}): ServiceError {
  return new ServiceError('access-denied', message, options);
}

/**
 * The same, with the reason of the PDP if that is short plain text that quotes nothing confidential.
 *
 * @param asked what the PDP was asked
 */
export function deniedBecause(reason: unknown, message: Message, { headers }: Question): ServiceError {
  const isText = typeof reason === 'string';
  return denied(undefined, { callerDetail: isText ? reasonIn(reason, { ...message, headers }) : undefined });
}
