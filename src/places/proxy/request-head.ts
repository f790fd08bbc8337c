import type { IncomingMessage } from 'node:http';
import type { HeaderFields } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import { conditionsOf } from '../answer/index.ts';
import { endToEnd, fieldsOf, listedIn, valuesOf, withoutFields } from '../listener/index.ts';

/** A request as the proxy understands it. */
export interface RequestHead {
  readonly method: string;
  /** Path and query, as the client wrote them. */
  readonly target: string;
  /** The end-to-end header fields. */
  readonly fields: HeaderFields;
  readonly hasBody: boolean;
  /** Of HTTP, such as `1.1`. */
  readonly version: string;
}

const HOST = /^[^\s/\\?#@,]*$/u;

/**
 * Reads the head of a request, and refuses what the application could understand in another way.
 *
 * @throws ServiceError `http-malformed`
 */
export function readHead(request: IncomingMessage): RequestHead {
  const { method = '', url = '', httpVersion } = request;
  const all = fieldsOf(request.rawHeaders);
  const hosts = valuesOf(all, 'host');
  if (hosts.length > 1) throw malformed('The message has more than one Host field.');
  const [host] = hosts;
  if (host === undefined && httpVersion !== '1.0') throw malformed('The message has no Host field.');
  if (!HOST.test(host ?? '')) throw malformed('The Host field is not a host.');
  const codings = listedIn(all, 'transfer-encoding');
  const isChunked = codings.length > 0;
  if (isChunked && (codings.join(',') !== 'chunked' || httpVersion === '1.0'))
    throw malformed('The transfer encoding is not chunked.');
  const lengths = valuesOf(all, 'content-length');
  if (lengths.length > 1 || (isChunked && lengths.length > 0))
    throw malformed('The length of the body is not clear.');
  return {
    method,
    target: targetIn(url, host),
    fields: endToEnd(all),
    hasBody: isChunked || Number(lengths[0] ?? 0) > 0,
    version: httpVersion,
  };
}

/** Origin form. A target in absolute form must be for the same host (RFC 9112 §3.2.2). */
function targetIn(url: string, host: string | undefined): string {
  if (url.startsWith('/')) return url;
  const absolute = /^https?:\/\/([^/?#]*)(\/[^#]*)?$/iu.exec(url);
  if (absolute === null) throw malformed('The target of the request is not a path.');
  const [, authority = '', target = '/'] = absolute;
  if (authority.toLowerCase() !== host?.toLowerCase())
    throw malformed('The target of the request is for another host.');
  return target;
}

function malformed(detail: string): ServiceError {
  return new ServiceError('http-malformed', detail, { headers: { Connection: 'close' } });
}

/** How requests are forwarded. */
export interface ForwardingOptions {
  /** The name of this proxy in `Via`. */
  readonly pseudonym: string;
  /** Identity headers that clients may not set, in lower case. */
  readonly untrusted: ReadonlySet<string>;
  /** Header fields that a gateway in front sets, in lower case. */
  readonly trusted: ReadonlySet<string>;
}

/** Whether the request has come through this proxy before. */
export function isLoop(fields: HeaderFields, pseudonym: string): boolean {
  return listedIn(fields, 'via').some((entry) => entry.split(/\s+/u)[1] === pseudonym);
}

const EXPECT: ReadonlySet<string> = new Set(['expect', 'http2-settings']);

/** The fields that clients may set: identity headers are for gateways. */
export function believedFields(
  head: RequestHead,
  { untrusted }: Pick<ForwardingOptions, 'untrusted'>,
): HeaderFields {
  return untrusted.size === 0 ? head.fields : withoutFields(head.fields, untrusted);
}

/** The header fields that the application gets (docs/proxy.md). */
export function forwardedFields(
  request: IncomingMessage,
  fields: HeaderFields,
  options: ForwardingOptions,
): HeaderFields {
  const { pseudonym, trusted } = options;
  const address = (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:/u, '');
  const kept = withoutFields(fields, EXPECT);
  return [
    ...withoutFields(kept, new Set(['x-forwarded-for', ...replacedFields(kept, trusted)])),
    ['X-Forwarded-For', [...valuesOf(kept, 'x-forwarded-for'), address].join(', ')],
    ...missingField(kept, trusted, 'X-Forwarded-Proto', isTls(request) ? 'https' : 'http'),
    ...missingField(kept, trusted, 'X-Forwarded-Host', valuesOf(kept, 'host')[0]),
    ['Via', `${request.httpVersion} ${pseudonym}`],
  ];
}

function isTls({ socket }: IncomingMessage): boolean {
  return 'encrypted' in socket;
}

/** Those that describe the client's connection are this proxy's to set, unless a gateway is trusted with them. */
function replacedFields(fields: HeaderFields, trusted: ReadonlySet<string>): readonly string[] {
  return ['x-forwarded-proto', 'x-forwarded-host'].filter((name) => !isKept(fields, trusted, name));
}

function isKept(fields: HeaderFields, trusted: ReadonlySet<string>, name: string): boolean {
  return trusted.has(name) && valuesOf(fields, name).length > 0;
}

function missingField(
  fields: HeaderFields,
  trusted: ReadonlySet<string>,
  name: string,
  value: string | undefined,
): HeaderFields {
  return value === undefined || isKept(fields, trusted, name.toLowerCase()) ? [] : [[name, value]];
}

/** Asks for an answer that can be read: whole, not encoded, and not in comparison with somebody else's. */
export function readableFields(method: string, fields: HeaderFields): HeaderFields {
  const kept = withoutFields(fields, new Set(['accept-encoding', ...conditionsOf(method)]));
  return [...kept, ['Accept-Encoding', 'identity']];
}
