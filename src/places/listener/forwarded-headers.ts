import type { HeaderFields } from '../../enforcement/index.ts';

/** What holds between the caller and this service only (RFC 9110 §7.6.1 and §11.7). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What describes the caller's message itself: the PDP gets another one. */
const ABOUT_THE_MESSAGE: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'digest',
  'expect',
  'host',
  'range',
]);
const ABOUT_THE_MESSAGE_PREFIX = /^(?:content|if)-/;

/**
 * Chooses what goes on to the PDP of the headers that the caller sent (specification 4.1, enforcement §4): all of them,
 * except hop-by-hop fields, those that `Connection` names, and those that describe the message itself.
 *
 * A name counts as it is spelt, case aside: `Content_Length` is not `Content-Length`, and is forwarded like any other.
 *
 * @param rawHeaders names and values in turn, as in `rawHeaders` of node's `IncomingMessage`
 * @returns the fields in their order and spelling; a repeated field stays repeated
 */
export function forwardedHeaders(rawHeaders: readonly string[]): HeaderFields {
  const fields = fieldsOf(rawHeaders);
  const named = namedByConnection(fields);
  return fields.filter(([name]) => {
    const lower = name.toLowerCase();
    return !named.has(lower) && !isBoundToMessage(lower);
  });
}

function isBoundToMessage(name: string): boolean {
  return HOP_BY_HOP.has(name) || ABOUT_THE_MESSAGE.has(name) || ABOUT_THE_MESSAGE_PREFIX.test(name);
}

/** The names, in lower case, that the `Connection` fields list. */
function namedByConnection(fields: HeaderFields): ReadonlySet<string> {
  const options = fields
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(','));
  return new Set(options.map((option) => option.trim().toLowerCase()));
}

/** The header fields of a message. */
export function fieldsOf(rawHeaders: readonly string[]): HeaderFields {
  const fields: [string, string][] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) fields.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return fields;
}
