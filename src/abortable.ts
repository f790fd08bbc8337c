/**
 * A promise that rejects with the reason of a signal once that is aborted. The work of the original promise continues.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort);
  try {
    return await Promise.race([aborted.promise, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
