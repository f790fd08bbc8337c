import type { HeaderFields } from '../../enforcement/index.ts';
import { listedIn, valuesOf, withoutFields } from '../listener/index.ts';

/** What becomes of the header fields of a message. */
export interface FieldChanges {
  /** Each replaces all fields of its name. */
  readonly set: HeaderFields;
  /** In lower case. */
  readonly remove: readonly string[];
}

/** What describes the bytes that the application sent, or the cache that they came from, and is not true of others (docs/proxy.md). */
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
  'expires',
  'last-modified',
  'repr-digest',
  'trailer',
]);
/** What lets a shared cache store an answer, whatever `Cache-Control` says (RFC 9213). */
const FOR_SHARED_CACHES =
  /^(?:surrogate-control|surrogate-key|x-accel-expires|edge-control|(?:.+-)?cdn-cache-control)$/u;

/** Directives of `Cache-Control` that are about shared caches, or narrow down what is private. */
const SHARED_DIRECTIVE: ReadonlySet<string> = new Set([
  'public',
  'private',
  's-maxage',
  'immutable',
  'proxy-revalidate',
]);
const DIRECTIVE = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,"]*))?/gu;

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const ABOUT_A_PART = ['a-im', 'if-range', 'range'];
const ABOUT_ANOTHER_REPRESENTATION = ['if-modified-since', 'if-none-match'];

/**
 * What the application must not see of a request whose answer is enforced: the answer must be all of the resource, as it is for
 * this user (docs/proxy.md). In lower case.
 */
export function conditionsOf(method: string): readonly string[] {
  return SAFE_METHODS.has(method) ? [...ABOUT_A_PART, ...ABOUT_ANOTHER_REPRESENTATION] : ABOUT_A_PART;
}

/** Whether a field of an answer is dropped if the answer is enforced. @param name in lower case */
function isDropped(name: string): boolean {
  return ABOUT_THE_BODY.has(name) || FOR_SHARED_CACHES.test(name);
}

/**
 * What becomes of the header fields of an answer that is enforced: none describes the original body, and no shared cache may store
 * the answer (docs/proxy.md).
 *
 * @param identityHeaders on which the answer depends, besides `Authorization`
 */
export function changesOfAnswer(fields: HeaderFields, identityHeaders: readonly string[]): FieldChanges {
  const names = fields.map(([name]) => name.toLowerCase());
  return {
    set: [
      ['Cache-Control', privateCaching(valuesOf(fields, 'cache-control'))],
      ['Vary', varyWith(fields, ['Authorization', ...identityHeaders])],
    ],
    remove: names.filter(isDropped),
  };
}

/** The fields after the changes. */
export function changed(fields: HeaderFields, { set, remove }: FieldChanges): HeaderFields {
  const replaced = new Set(remove);
  for (const [name] of set) replaced.add(name.toLowerCase());
  return [...withoutFields(fields, replaced), ...set];
}

function privateCaching(values: readonly string[]): string {
  if (values.length === 0) return 'private';
  const directives = Array.from(values.join(',').matchAll(DIRECTIVE), ([, name = '', value]) => ({
    name: name.toLowerCase(),
    value,
  }));
  const kept = directives.filter(({ name }) => !SHARED_DIRECTIVE.has(name));
  return [
    'private',
    ...kept.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)),
  ].join(', ');
}

function varyWith(fields: HeaderFields, names: readonly string[]): string {
  const values = valuesOf(fields, 'vary');
  if (values.length === 0) return names.join(', ');
  const written = values.flatMap((value) => value.split(',').map((name) => name.trim()));
  const known = new Set(listedIn(fields, 'vary'));
  if (known.has('*')) return '*';
  const added = names.filter((name) => !known.has(name.toLowerCase()));
  return [...written.filter((name) => name !== ''), ...added].join(', ');
}
