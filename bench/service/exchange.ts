import type { Client, Dispatcher } from 'undici';

/** An answer, counted and not kept. */
interface Answer {
  readonly status: number;
  /** Of the body, in bytes. */
  readonly length: number;
}

/** Sends a request and counts what comes back: the least that a client can do, because it shares the machine with the server. */
export function exchange(client: Client, options: Dispatcher.DispatchOptions): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let status = 0;
  let length = 0;
  client.dispatch(options, {
    onRequestStart: () => undefined,
    onResponseStart(_controller, code) {
      status = code;
    },
    onResponseData(_controller, chunk) {
      length += chunk.length;
    },
    onResponseEnd: () => resolve({ status, length }),
    onResponseError: (_controller, error) => reject(error),
  });
  return promise;
}
