import type { HeadersLike } from './api.ts';

/** Names and values in turn, as in `rawHeaders` of Node.js; a field with several values is repeated. */
export function rawHeadersOf(headers: HeadersLike): readonly string[] {
  if (isIterable(headers)) return Array.from(headers).flat();
  return Object.entries(headers).flatMap(([name, value]) => valuesOf(value).flatMap((one) => [name, one]));
}

function isIterable(headers: HeadersLike): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers;
}

function valuesOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
