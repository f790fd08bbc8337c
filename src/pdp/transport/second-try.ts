import { isAxiosError } from 'axios';

/** Node's codes for a connection that does not come about or breaks. */
const CONNECTION_FAILURES: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * Asks once more where the connection failed before an answer began: one from the pool that the PDP closed in the moment in
 * which it was used again, a PDP that is just being replaced by another.
 *
 * A question is a POST without effects, so that the PDP may well get it twice. What is asked is bound by its own deadline,
 * which holds for both tries together.
 */
export async function withSecondTry<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    return await ask();
  }
}

function isConnectionFailure(error: unknown): boolean {
  return isAxiosError(error) && error.response === undefined && CONNECTION_FAILURES.has(error.code ?? '');
}
