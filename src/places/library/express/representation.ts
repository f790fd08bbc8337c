import type { ServerResponse } from 'node:http';

/** What describes a body that is replaced: true of the original only. */
const OF_THE_BODY = [
  'content-length',
  'content-encoding',
  'content-md5',
  'content-digest',
  'repr-digest',
  'digest',
  'etag',
  'last-modified',
  'accept-ranges',
  'content-range',
  'age',
  'trailer',
  'transfer-encoding',
];

/** Directives that let others than the user's own client keep an answer, or keep it unchecked. */
const SHARING = /^(?:public|s-maxage|immutable|private|proxy-revalidate)\b/iu;

/** Drops what a client or a cache could use to recognize or to reuse the original body. */
export function dropOriginal(response: ServerResponse): void {
  for (const name of OF_THE_BODY) response.removeHeader(name);
}

/**
 * An answer is for one user: shared caches must not keep it, and the client's own only for the same credentials.
 *
 * @param identityHeaders header fields of the request that say who the user is
 */
export function makePrivate(response: ServerResponse, identityHeaders: readonly string[]): void {
  const directives = String(response.getHeader('cache-control') ?? '').split(',');
  const kept = directives.map((one) => one.trim()).filter((one) => one !== '' && !SHARING.test(one));
  response.setHeader('Cache-Control', ['private', ...kept].join(', '));
  addVary(response, ['Authorization', 'Cookie', ...identityHeaders]);
}

function addVary(response: ServerResponse, names: readonly string[]): void {
  const present = [response.getHeader('vary') ?? []].flat().join(',').split(',');
  const known = present.map((name) => name.trim()).filter((name) => name !== '');
  if (known.includes('*')) return;
  const lower = new Set(known.map((name) => name.toLowerCase()));
  response.setHeader(
    'Vary',
    [...known, ...names.filter((name) => !lower.has(name.toLowerCase()))].join(', '),
  );
}

/** A media type whose bodies are enforced: JSON in UTF-8. */
const JSON_TYPE = /^(?:application\/json|[\w!#$&^.+-]+\/[\w!#$&^.+-]+\+json)$/iu;

/** Whether a body of this type is JSON in UTF-8. */
export function isJsonType(contentType: unknown): boolean {
  if (typeof contentType !== 'string') return false;
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  return JSON_TYPE.test(type) && parameters.every(isUtf8);
}

function isUtf8(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=');
  return name.trim().toLowerCase() !== 'charset' || /^\s*"?utf-?8"?\s*$/iu.test(value);
}
