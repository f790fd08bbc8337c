import { createHash } from 'node:crypto';
import type { Call, HeaderFields } from '../../port.ts';

/**
 * Header fields that differ with each request and do not change who asks or for what. Every other field counts,
 * `baggage` too, which may name a user: a field missing in this list costs answers from the cache, one too many would
 * give one caller the answer of another.
 */
const PER_REQUEST: ReadonlySet<string> = new Set([
  'b3',
  'traceparent',
  'tracestate',
  'x-b3-flags',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-spanid',
  'x-b3-traceid',
  'x-correlation-id',
  'x-request-id',
]);

/**
 * The longest of these fields that are left out, all together, in characters. A PDP could refuse a header because of longer ones, and with
 * it those who ask the same.
 */
const MAX_PER_REQUEST = 1024;

/** What a PDP and all between can read: visible ASCII and blanks. */
const PLAIN = /^[\x20-\x7e]*$/u;

/**
 * What two questions have in common if and only if all that is sent is the same: for each message the URL, what it accepts
 * and the body byte for byte, and the header in its order and spelling without the fields that differ with each request.
 * Those count as well if they are long or odd.
 *
 * @returns a SHA-256 hash, which does not give away what it was made of
 */
export function keyOf({ calculationType, headers, messages }: Call): string {
  const described = messages.map(({ url, accept, body }) => [url.href, accept ?? null, body.byteLength]);
  const head = JSON.stringify([calculationType, partOfKey(headers), described]);
  // JSON ends by itself, and the head contains the length of each body: no part can be taken for another.
  const hash = createHash('sha256').update(head);
  for (const { body } of messages) hash.update(body);
  return hash.digest('base64');
}

function partOfKey(headers: HeaderFields): HeaderFields {
  let length = 0;
  const rest = headers.filter(([name, value]) => {
    if (!PER_REQUEST.has(name.toLowerCase())) return true;
    length += PLAIN.test(value) ? name.length + value.length : Infinity;
    return false;
  });
  return length > MAX_PER_REQUEST ? headers : rest;
}
