import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { HeaderFields } from '../../enforcement/index.ts';
import { notEnforceable } from '../answer/index.ts';
import { rawOf, resetConnection } from '../listener/index.ts';
import type { UpstreamHead } from './upstream.ts';

const PLAIN_REASON = /^[\t\x20-\x7e\x80-\xff]*$/u;

/**
 * Sends the head of an answer.
 *
 * @throws ServiceError `response-not-enforceable` if it has fields that no answer may have
 */
export function writeHead(response: ServerResponse, head: UpstreamHead, fields: HeaderFields): void {
  // What is left of the request may never be read.
  if (!response.req.complete) response.shouldKeepAlive = false;
  const reason = PLAIN_REASON.test(head.reason) ? head.reason : '';
  try {
    response.writeHead(head.status, reason, rawOf(fields));
  } catch {
    throw notEnforceable('its header fields are not valid');
  }
}

/** Breaks an answer off so that the client cannot take what it has for the whole. */
export function breakOff(response: ServerResponse): void {
  const { socket } = response;
  // Node.js holds back what was written in this turn, and would drop it.
  response.uncork();
  // To a client of HTTP/1.0, the end of the connection is the end of the answer.
  if (socket !== null && response.headersSent && !response.chunkedEncoding) resetConnection(socket);
  else response.destroy();
}

/**
 * Writes, and waits until the client has taken enough of it to go on.
 *
 * @param patience how long the client may take for that, in milliseconds
 * @returns whether the client did
 */
export async function writeInTime(
  response: ServerResponse,
  bytes: Buffer,
  patience: number,
): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(bytes)) return true;
  const over = new AbortController();
  try {
    return await Promise.race([
      once(response, 'drain', { signal: over.signal }).then(() => true),
      once(response, 'close', { signal: over.signal }).then(() => false),
      wait(patience, false, { signal: over.signal }),
    ]);
  } finally {
    over.abort();
  }
}
