import { Axios, type AxiosResponse } from 'axios';
import type { Dispatcher } from 'undici';
import { bufferOf } from '../../core/index.ts';
import type { Sent } from '../port.ts';
import { requestHeaders } from './request-headers.ts';
import { askWithRetries, type RetryReason } from './retries.ts';
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
 * @param onRetry called before a message is sent again because its connection failed
 */
export function createExchange(
  dispatcher: () => Dispatcher,
  maxAnswerBytes: number,
  onRetry: (reason: RetryReason) => void,
): Exchange {
  const client = new Axios({
    method: 'post',
    maxContentLength: maxAnswerBytes,
    responseType: 'arraybuffer',
    validateStatus: () => true,
  });
  return async ({ url, headers, accept, body }, signal) => {
    const request = {
      ...addressOf(url),
      adapter: undiciTransport(dispatcher, requestHeaders(headers, body.byteLength, accept)),
      data: bufferOf(body),
      signal,
    };
    return answerFrom(await askWithRetries(() => client.request<Uint8Array>(request), { signal, onRetry }));
  };
}

/** An endpoint as axios takes it. */
interface Address {
  readonly baseURL: string;
  readonly url: string;
}

const addresses = new WeakMap<URL, Address>();

/** The parts of a URL are put together each time that they are asked for. Nobody changes those of endpoints. */
function addressOf(endpoint: URL): Address {
  const known = addresses.get(endpoint);
  if (known !== undefined) return known;
  const address = { baseURL: endpoint.origin, url: endpoint.pathname + endpoint.search };
  addresses.set(endpoint, address);
  return address;
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
