import { validateHeaderName, validateHeaderValue } from 'node:http';
import { ServiceError } from '../../errors.ts';
import type { HeaderFields } from '../port.ts';

/** Our name, if the caller names no user agent. */
const PRODUCT = 'authz-jsonmasking';

/** What describes the message to the PDP. It replaces forwarded fields of these names. */
const MESSAGE = new Map([
  ['content-type', 'application/json'],
  ['accept-encoding', 'gzip, deflate, br'],
]);
const CONTENT_LENGTH = 'content-length';
const OWN: ReadonlySet<string> = new Set(['accept', CONTENT_LENGTH]);

/**
 * The header of the request to the PDP, names and values in turn. Fields of one name are adjacent, in the spelling of
 * the first. Several `Cookie` fields are sent as one, as RFC 9113 §8.2.3 requires for HTTP/1.1. It is a list and not an
 * object, so that no name is special, not even `__proto__` and `constructor`.
 *
 * @param fields the forwarded fields (docs/pdp-contract.md#headers)
 * @param bodyLength in bytes
 * @param accept the media types of the answer
 * @throws ServiceError `request-invalid` if a message cannot carry one of the fields
 */
export function requestHeaders(
  fields: HeaderFields,
  bodyLength: number,
  accept = 'application/json',
): string[] {
  fields.forEach(([name, value]) => mustBeSendable(name, value));
  const groups = grouped(fields);
  const agent = groups.has('user-agent') ? [] : ['user-agent', PRODUCT];
  const message = [...MESSAGE].flat();
  return [...agent, ...forwarded(groups), ...message, 'accept', accept, CONTENT_LENGTH, String(bodyLength)];
}

function* forwarded(groups: ReadonlyMap<string, Group>): Generator<string> {
  for (const [lower, [name, ...values]] of groups) {
    if (MESSAGE.has(lower) || OWN.has(lower)) continue;
    for (const value of lower === 'cookie' ? [values.join('; ')] : values) yield* [name, value];
  }
}

/** A name, as it is spelt first, followed by its values. */
type Group = [name: string, ...values: string[]];

/** By names in lower case. */
function grouped(fields: HeaderFields): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const [name, value] of fields) {
    const group = groups.get(name.toLowerCase());
    if (group === undefined) groups.set(name.toLowerCase(), [name, value]);
    else group.push(value);
  }
  return groups;
}

function mustBeSendable(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new ServiceError('request-invalid', 'A header field has characters that must not be forwarded.');
  }
}
