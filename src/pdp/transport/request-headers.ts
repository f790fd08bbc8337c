import { validateHeaderName, validateHeaderValue } from 'node:http';
import { AxiosHeaders } from 'axios';
import { ServiceError } from '../../errors.ts';
import type { HeaderFields } from '../port.ts';

/** Stands where the caller names no user agent; without it axios would put in its own name. */
const PRODUCT = 'authz-jsonmasking';

/** What describes the message to the PDP. It replaces whatever of that name stands among the forwarded fields. */
const MESSAGE = {
  'content-type': 'application/json',
  accept: 'application/json',
  'accept-encoding': 'gzip, deflate, br',
} as const;

/**
 * The header of the request to the PDP in the form that axios takes: a field that stands several times is a list, which
 * goes out as several fields again, in the spelling of the first. Several `Cookie` fields go out as one, as RFC 9113
 * §8.2.3 has it for HTTP/1.1. Axios drops fields that are named `constructor`, `prototype` or `__proto__`.
 *
 * @param fields what is forwarded (enforcement §4)
 * @param bodyLength in bytes
 * @param accept what the answer may be
 * @throws ServiceError `request-invalid` where a field cannot stand in a message: axios would strip CR and LF and go on
 */
export function requestHeaders(
  fields: HeaderFields,
  bodyLength: number,
  accept: string = MESSAGE.accept,
): AxiosHeaders {
  const headers = new AxiosHeaders({ 'user-agent': PRODUCT });
  fields.forEach(([name, value]) => mustBeSendable(name, value));
  for (const [name, ...values] of grouped(fields))
    headers.set(name, isCookie(name) ? values.join('; ') : values);
  return headers.set({ ...MESSAGE, accept, 'content-length': String(bodyLength) });
}

function isCookie(name: string): boolean {
  return name.toLowerCase() === 'cookie';
}

/** Each name, as it is spelt first, followed by its values. */
function grouped(fields: HeaderFields): Iterable<readonly [name: string, ...values: string[]]> {
  const groups = new Map<string, [string, ...string[]]>();
  for (const [name, value] of fields) {
    const group = groups.get(name.toLowerCase());
    if (group === undefined) groups.set(name.toLowerCase(), [name, value]);
    else group.push(value);
  }
  return groups.values();
}

function mustBeSendable(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new ServiceError('request-invalid', 'A header field has characters that must not be forwarded.');
  }
}
