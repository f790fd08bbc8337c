import { Collected, TOP, scan, strictValueAt, type JsonValue } from '../core/index.ts';
import type { Dispatcher } from 'undici';
import { IdentityUnavailable } from './unavailable.ts';

/** How long one answer may take, in milliseconds. */
const TIMEOUT = 5000;
/** Far more than a key set has, in bytes and levels. */
const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 100;

/**
 * Gets a JSON document. Redirects are not followed.
 *
 * @throws IdentityUnavailable if the server does not answer with a JSON document in time
 */
export async function fetchJson(url: URL, dispatcher: Dispatcher): Promise<JsonValue> {
  const bytes = await bodyAt(url, dispatcher).catch((error: unknown) => {
    throw error instanceof IdentityUnavailable
      ? error
      : new IdentityUnavailable(`${url.origin} cannot be reached`);
  });
  try {
    return strictValueAt(scan(bytes, MAX_DEPTH), TOP);
  } catch {
    throw new IdentityUnavailable(`${url.origin} does not answer with valid JSON`);
  }
}

async function bodyAt(url: URL, dispatcher: Dispatcher): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const headers = { accept: 'application/json' };
  const { origin, pathname, search } = url;
  const target = { origin, path: pathname + search, method: 'GET' } as const;
  const { statusCode, body } = await dispatcher.request({ ...target, signal, headers });
  const collected = new Collected();
  for await (const chunk of body) {
    collected.add(Buffer.from(chunk));
    if (collected.length > MAX_BYTES)
      throw new IdentityUnavailable(`${url.origin} answers with more than 1 MB`);
  }
  if (statusCode !== 200) throw new IdentityUnavailable(`${url.origin} answers with ${statusCode}`);
  return collected.take();
}
