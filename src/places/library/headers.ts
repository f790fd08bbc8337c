import type { HeadersLike } from './api.ts';
import { invalidOption } from './invalid-options.ts';

/**
 * Names and values in turn, as in `rawHeaders` of Node.js; a field with several values is repeated.
 *
 * @throws ServiceError `request-invalid` if they are something else
 */
export function rawHeadersOf(headers: HeadersLike): readonly string[] {
  const raw = rawParts(headers);
  if (raw?.every((part) => typeof part === 'string') === true) return raw;
  throw invalidOption(
    '/headers',
    'It has to be an object or a list of pairs, and each value a string or a list of strings.',
  );
}

function rawParts(headers: unknown): readonly unknown[] | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if (isIterable(headers)) return partsOf(Array.from(headers));
  return Object.entries(headers).flatMap(([name, value]) => valuesOf(value).flatMap((one) => [name, one]));
}

/** @returns undefined if one of them is no pair: the names and values after it would be taken for one another */
function partsOf(pairs: readonly unknown[]): readonly unknown[] | undefined {
  return pairs.every((pair) => Array.isArray(pair) && pair.length === 2) ? pairs.flat() : undefined;
}

function isIterable(headers: object): headers is Iterable<unknown> {
  return Symbol.iterator in headers;
}

function valuesOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
