import type { IncomingMessage } from 'node:http';
import type { HeaderFields } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import { hiddenFields } from '../answer/index.ts';
import { endToEnd, fieldsOf, HiddenFields, listedIn, valuesOf, withoutFields } from '../listener/index.ts';
import type { Routes } from '../routes/index.ts';

/** A request as the proxy understands it. */
export interface RequestHead {
  readonly method: string;
  /** Path and query, as the client wrote them. */
  readonly target: string;
  /** The end-to-end header fields. */
  readonly fields: HeaderFields;
  readonly hasBody: boolean;
  /** Whether the body comes in chunks, whose lengths are the client's choice. */
  readonly isChunked: boolean;
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
    isChunked,
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
  /** Header fields that a gateway in front sets, in lower case. */
  readonly trusted: ReadonlySet<string>;
}

/** Whether the request has come through this proxy before. */
export function isLoop(fields: HeaderFields, pseudonym: string): boolean {
  return listedIn(fields, 'via').some((entry) => entry.split(/\s+/u)[1] === pseudonym);
}

/** The fields of a request without the identity headers that only gateways may set. */
export function trustedFields(
  head: RequestHead,
  { routes }: { readonly routes: Pick<Routes, 'untrustedHeaders'> },
): HeaderFields {
  return withoutFields(head.fields, routes.untrustedHeaders);
}

const NONE = new HiddenFields([]);
const NOT_FORWARDED = new HiddenFields(['expect', 'http2-settings']);

const FORWARDED_FOR = 'x-forwarded-for';
/** What says how the client is connected. */
const OF_THE_CLIENT = new HiddenFields([FORWARDED_FOR, 'x-forwarded-proto', 'x-forwarded-host']);

/**
 * The header fields that the application gets (docs/proxy.md).
 *
 * @param hidden those that it does not get, besides those that no application gets
 */
export function forwardedFields(
  request: IncomingMessage,
  fields: HeaderFields,
  { pseudonym, trusted }: ForwardingOptions,
  hidden = NONE,
): HeaderFields[number][] {
  const { kept, addresses } = partsOf(fields, trusted, hidden);
  const [host] = valuesOf(kept, 'host');
  kept.push(forwardedFor(request, addresses));
  addMissing(kept, trusted, 'X-Forwarded-Proto', isTls(request) ? 'https' : 'http');
  if (host !== undefined) addMissing(kept, trusted, 'X-Forwarded-Host', host);
  kept.push(['Via', `${request.httpVersion} ${pseudonym}`]);
  return kept;
}

/**
 * The header fields for the PDP. An address that the client says it has is followed by the one that it comes from, as for the
 * application. How else it says to be connected is left out.
 */
export function askedFields(
  request: IncomingMessage,
  fields: HeaderFields,
  { trusted }: Pick<ForwardingOptions, 'trusted'>,
): HeaderFields {
  const { kept, addresses } = partsOf(fields, trusted);
  if (addresses.length > 0) kept.push(forwardedFor(request, addresses));
  return kept;
}

/** The fields without what this proxy alone says of the client, and the addresses that the client says it has. */
function partsOf(fields: HeaderFields, trusted: ReadonlySet<string>, hidden = NONE) {
  const kept: HeaderFields[number][] = [];
  const addresses: string[] = [];
  for (const field of fields) {
    const [name, value] = field;
    if (NOT_FORWARDED.has(name) || hidden.has(name)) continue;
    const isOfClient = OF_THE_CLIENT.has(name);
    if (isOfClient && name.toLowerCase() === FORWARDED_FOR) addresses.push(value);
    // The others are this proxy's to set, unless a gateway is trusted with them.
    else if (!isOfClient || trusted.has(name.toLowerCase())) kept.push(field);
  }
  return { kept, addresses };
}

function forwardedFor(request: IncomingMessage, addresses: readonly string[]): HeaderFields[number] {
  return ['X-Forwarded-For', [...addresses, addressOf(request)].join(', ')];
}

function addressOf({ socket }: IncomingMessage): string {
  const { remoteAddress = 'unknown' } = socket;
  return remoteAddress.startsWith('::ffff:') ? remoteAddress.slice('::ffff:'.length) : remoteAddress;
}

function isTls({ socket }: IncomingMessage): boolean {
  return 'encrypted' in socket;
}

/** Adds a field, unless it is there because a gateway is trusted with it. */
function addMissing(
  fields: HeaderFields[number][],
  trusted: ReadonlySet<string>,
  name: string,
  value: string,
): void {
  const lower = name.toLowerCase();
  if (!trusted.has(lower) || valuesOf(fields, lower).length === 0) fields.push([name, value]);
}

/**
 * Those that ask for an answer that can be read: whole, not encoded, and not in comparison with somebody else's.
 *
 * @param methods that the application may take the request for
 */
export function readableFields(
  request: IncomingMessage,
  fields: HeaderFields,
  options: ForwardingOptions,
  methods: readonly string[],
): HeaderFields {
  const forwarded = forwardedFields(request, fields, options, hiddenFields(methods));
  forwarded.push(['Accept-Encoding', 'identity']);
  return forwarded;
}
