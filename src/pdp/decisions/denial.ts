import type { Question } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import type { Message } from '../port.ts';
import { reasonIn } from './reason.ts';

/**
 * The PDP denies the request as a whole.
 *
 * @param callerDetail the reason, for the caller alone
 */
export function denied(message = 'The PDP denies the request.', callerDetail = message): ServiceError {
  return new ServiceError('access-denied', message, { callerDetail });
}

/**
 * The same, with the reason of the PDP if that is short plain text that quotes nothing confidential.
 *
 * @param asked what the PDP was asked
 */
export function deniedBecause(reason: unknown, message: Message, { headers }: Question): ServiceError {
  const isText = typeof reason === 'string';
  return denied(undefined, isText ? reasonIn(reason, { ...message, headers }) : undefined);
}
