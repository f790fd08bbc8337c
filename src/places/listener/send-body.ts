import type { ServerResponse } from 'node:http';
import { joined } from '../../core/index.ts';

/** What is no longer than this, in bytes, goes out together with its head. */
const SMALL = 8192;

/** How long a body is, in bytes. */
export function lengthOf(chunks: readonly { readonly length: number }[]): number {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  return length;
}

/**
 * Sends the body of an answer, and ends it. Node joins the head with a text, and not with bytes: a small body that is text is one
 * write and one piece. Read as Latin-1, each byte is a character, and written as Latin-1 it is that byte again, as in the head.
 *
 * @param length of the body, in bytes
 */
export function sendBody(response: ServerResponse, chunks: readonly Buffer[], length: number): void {
  if (length <= SMALL) {
    response.end(joined(chunks).toString('latin1'), 'latin1');
    return;
  }
  response.cork();
  for (const chunk of chunks) response.write(chunk);
  response.end();
}
