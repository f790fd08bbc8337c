import { Axios, isAxiosError, type AxiosResponse } from 'axios';
import type { Dispatcher } from 'undici';
import { bufferOf } from '../../core/index.ts';
import type { Sent } from '../port.ts';
import { requestHeaders } from './request-headers.ts';
import { undiciTransport } from './transport.ts';

/** What the PDP answered, with whatever status. */
export interface Answer {
  readonly status: number;
  /** `Content-Encoding`; the body is still in it. */
  readonly encoding: string | undefined;
  /** `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  readonly body: Uint8Array;
}

/**
 * Sends a message and waits for the whole answer.
 *
 * It rejects with what axios throws. That holds the header and body of the question, so it must go no further.
 */
export type Exchange = (message: Sent, signal: AbortSignal) => Promise<Answer>;

/**
 * Axios, bounded: nothing of its defaults, no redirects, no proxy from the environment, no more bytes than allowed, and
 * bytes as they come.
 *
 * @param dispatcher the connections to use for a request
 * @param maxAnswerBytes of the answer's body as it comes, before any decompression
 */
export function createExchange(dispatcher: () => Dispatcher, maxAnswerBytes: number): Exchange {
  const client = new Axios({
    method: 'post',
    maxContentLength: maxAnswerBytes,
    responseType: 'arraybuffer',
    validateStatus: () => true,
  });
  return async ({ url, headers, accept, body }, signal) => {
    const request = {
      baseURL: url.origin,
      url: url.pathname + url.search,
      adapter: undiciTransport(dispatcher, requestHeaders(headers, body.byteLength, accept)),
      data: bufferOf(body),
      signal,
    };
    return answerFrom(await withSecondTry(() => client.request<Uint8Array>(request)));
  };
}

function answerFrom({ status, headers, data }: AxiosResponse<Uint8Array>): Answer {
  return {
    status,
    encoding: textOf(headers['content-encoding']),
    challenge: textOf(headers['www-authenticate']),
    body: data,
  };
}

/** Repeated fields are one list (RFC 9110 §5.3). */
function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : undefined;
}

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
 * Asks once more if the connection failed before an answer began: a connection of the pool that the PDP closed at the
 * moment in which it was used again, or a PDP that is being replaced by another.
 *
 * A question is a POST without effects, so that the PDP may get it twice. One deadline bounds both tries together.
 */
async function withSecondTry<T>(ask: () => Promise<T>): Promise<T> {
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
