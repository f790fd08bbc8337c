import type { HeaderFields } from '../../enforcement/index.ts';
import { endToEnd, FieldNames, fieldsOf } from './header-fields.ts';

/** What describes the caller's message itself, besides `Content-*` and `If-*`: the PDP gets another one. */
const ABOUT_THE_MESSAGE = new FieldNames([
  'accept',
  'accept-encoding',
  'digest',
  'expect',
  'host',
  'range',
  'repr-digest',
]);

const ABOUT_THE_BODY = /^(?:content|if)-/iu;

/**
 * Chooses which of the caller's headers are forwarded to the PDP: the end-to-end fields, except those that describe the
 * message itself (docs/pdp-contract.md#headers).
 *
 * Names are compared ignoring case only: `Content_Length` is not `Content-Length`, and is forwarded.
 *
 * @param rawHeaders names and values in turn, as in `rawHeaders` of node's `IncomingMessage`
 * @returns the fields in their order and spelling; a repeated field stays repeated
 */
export function forwardedHeaders(rawHeaders: readonly string[]): HeaderFields {
  return forwardedOf(endToEnd(fieldsOf(rawHeaders)));
}

/** The same of fields that are end-to-end, in a new list. */
export function forwardedOf(fields: HeaderFields): HeaderFields[number][] {
  return fields.filter(([name]) => !ABOUT_THE_MESSAGE.has(name) && !ABOUT_THE_BODY.test(name));
}
