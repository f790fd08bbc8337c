import type { HeaderFields } from '../../enforcement/index.ts';
import { endToEnd, listedIn, valuesOf, withoutFields } from './fields.ts';

/** What describes the bytes that the application sent, and is not true of others (places §3). */
const ABOUT_THE_BODY: ReadonlySet<string> = new Set([
  'accept-ranges',
  'age',
  'content-digest',
  'content-encoding',
  'content-length',
  'content-md5',
  'content-range',
  'digest',
  'etag',
  'last-modified',
  'repr-digest',
]);

/** What lets a cache in front store an answer, whatever `Cache-Control` says. */
const FOR_SHARED_CACHES =
  /^(?:surrogate-control|surrogate-key|x-accel-expires|edge-control|(?:[\w-]+-)?cdn-cache-control)$/u;

const REWRITTEN: ReadonlySet<string> = new Set(['cache-control', 'vary', 'expires']);

/** Directives of `Cache-Control` that are about shared caches, or narrow down what is private. */
const SHARED_DIRECTIVE = /^(?:public|private|s-maxage|immutable|proxy-revalidate)(?:\s*=|$)/iu;
const DIRECTIVES = /[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s,"]*))?/gu;

/**
 * The header fields of an answer that is enforced: none that describes the original body, nothing that a shared cache may
 * store.
 *
 * @param identityHeaders on which the answer depends, besides `Authorization`
 */
export function enforcedFields(fields: HeaderFields, identityHeaders: readonly string[]): HeaderFields {
  const kept = withoutFields(withoutFields(endToEnd(fields), ABOUT_THE_BODY), REWRITTEN);
  return [
    ...kept.filter(([name]) => !FOR_SHARED_CACHES.test(name.toLowerCase())),
    ['Cache-Control', privateCaching(valuesOf(fields, 'cache-control'))],
    ['Vary', varyWith(fields, ['Authorization', ...identityHeaders])],
  ];
}

function privateCaching(values: readonly string[]): string {
  const directives = values.flatMap((value) => value.match(DIRECTIVES) ?? []);
  return ['private', ...directives.filter((one) => !SHARED_DIRECTIVE.test(one))].join(', ');
}

function varyWith(fields: HeaderFields, names: readonly string[]): string {
  const written = valuesOf(fields, 'vary').flatMap((value) => value.split(',').map((name) => name.trim()));
  const known = new Set(listedIn(fields, 'vary'));
  if (known.has('*')) return '*';
  const added = names.filter((name) => !known.has(name.toLowerCase()));
  return [...written.filter((name) => name !== ''), ...added].join(', ');
}
