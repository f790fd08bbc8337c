import type { HeaderFields } from '../../enforcement/index.ts';
import { valuesOf } from './head.ts';

/** What becomes of the header fields of a message. */
export interface FieldChanges {
  /** Each replaces all fields of its name. */
  readonly set: HeaderFields;
  /** In lower case. */
  readonly remove: readonly string[];
}

/** They describe the bytes that upstream sent, or the cache that they came from. */
const ABOUT_THE_BYTES = [
  'etag',
  'last-modified',
  'accept-ranges',
  'content-length',
  'content-encoding',
  'content-md5',
  'digest',
  'content-digest',
  'content-range',
  'repr-digest',
  'age',
  'expires',
  'trailer',
];
/** They let shared caches store an answer, whatever Cache-Control says (RFC 9213). */
const FOR_SHARED_CACHES =
  /^(?:surrogate-control|surrogate-key|x-accel-expires|edge-control|(?:.+-)?cdn-cache-control)$/u;

const SHARED = /^(?:public|private|s-maxage|immutable|proxy-revalidate)$/u;
const DIRECTIVE = /([^\s,;=]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s,]*))?/gu;

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * What is removed from a request whose answer is enforced: the answer must be all of the resource, as it is for this user, and
 * readable (places §3). In lower case.
 */
export function fieldsRemovedFromRequest(method: string): readonly string[] {
  const conditions = SAFE.has(method) ? ['if-none-match', 'if-modified-since'] : [];
  return ['accept-encoding', 'range', 'if-range', ...conditions];
}

/**
 * What becomes of the header fields of an answer that is enforced (places §3).
 *
 * @param identityHeaders the header fields that say who the caller is
 */
export function changesOfAnswer(fields: HeaderFields, identityHeaders: readonly string[]): FieldChanges {
  const names = new Set(fields.map(([name]) => name.toLowerCase()));
  const forCaches = [...names].filter((name) => FOR_SHARED_CACHES.test(name));
  return {
    set: [
      ['cache-control', privateCacheControl(valuesOf(fields, 'cache-control'))],
      ['vary', varying(valuesOf(fields, 'vary'), ['Authorization', ...identityHeaders])],
    ],
    remove: [...ABOUT_THE_BYTES.filter((name) => names.has(name)), ...forCaches],
  };
}

/** A masked answer is for one user. */
function privateCacheControl(values: readonly string[]): string {
  const directives = Array.from(values.join(',').matchAll(DIRECTIVE), ([, name = '', value]) => ({
    name: name.toLowerCase(),
    value,
  }));
  const kept = directives.filter(({ name }) => !SHARED.test(name));
  return [
    'private',
    ...kept.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)),
  ].join(', ');
}

function varying(values: readonly string[], names: readonly string[]): string {
  const known = values.flatMap((value) => value.split(',').map((name) => name.trim())).filter(Boolean);
  if (known.includes('*')) return '*';
  const lower = new Set(known.map((name) => name.toLowerCase()));
  return [...known, ...names.filter((name) => !lower.has(name.toLowerCase()))].join(', ');
}
