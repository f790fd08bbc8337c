import { ServiceError } from '../../errors.ts';
import { refusalReason } from '../transport/reason.ts';
import type { Message } from '../port.ts';
import type { Question } from '../../enforcement/question.ts';

/** The PDP denies the request as a whole. */
export function denied(detail = 'The PDP gave no reason.'): ServiceError {
  return new ServiceError('access-denied', detail);
}

/**
 * The same, with the reason of the PDP if that is short plain text that quotes nothing confidential.
 *
 * @param asked what the PDP was asked
 */
export function deniedBecause(reason: unknown, message: Message, { headers }: Question): ServiceError {
  const isText = typeof reason === 'string' && reason !== '';
  return denied(isText ? refusalReason(Buffer.from(reason), { ...message, headers }) : undefined);
}
