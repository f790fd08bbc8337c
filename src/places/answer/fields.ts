import { RESULT_FIELD, type HeaderFields } from '../../enforcement/index.ts';
import { FieldNames, listedIn, valuesOf } from '../listener/index.ts';

/** What becomes of the header fields of a message. */
export interface FieldChanges {
  /** Each replaces all fields of its name. */
  readonly set: HeaderFields;
  /** In lower case. */
  readonly remove: readonly string[];
}

/** What describes the bytes that the application sent, or the cache that they came from, and is not true of others (docs/proxy.md). */
const ABOUT_THE_BODY = [
  'accept-ranges',
  'age',
  'content-encoding',
  'content-length',
  'content-range',
  'delta-base',
  'etag',
  'expires',
  'last-modified',
  'trailer',
];
/**
 * Digests and other lengths of the body, such as `Content-MD5`, `Repr-Digest`, `x-amz-checksum-crc32c`, `x-goog-hash`, `OC-ETag` and
 * `x-goog-stored-content-length`. By a digest, a client could try out what a masked value was.
 */
const OF_THE_BODY_OTHERWISE =
  /(?:^|[-_])(?:checksum|digest|e-?tag|hash|md5|crc(?:32c?|64\w*)|sha-?(?:1|224|256|384|512))(?:$|[-_])|-content-length$/iu;
const CDN = 'cdn-cache-control';
/** What lets a shared cache store an answer, whatever `Cache-Control` says (RFC 9213). */
const FOR_SHARED_CACHES = [
  CDN,
  'edge-control',
  'surrogate-control',
  'surrogate-key',
  'x-accel-expires',
  'x-litespeed-cache-control',
  'x-litespeed-tag',
  'x-litespeed-vary',
];

/** What has a server in front send a body of its own in place of this one: such as nginx, Apache, lighttpd, LiteSpeed and Perlbal. */
const FOR_ANOTHER_BODY = [
  'x-accel-redirect',
  'x-lighttpd-send-file',
  'x-litespeed-location',
  'x-reproxy-file',
  'x-reproxy-url',
  'x-sendfile',
  'x-sendfile-temporary',
  'x-sendfile2',
];
/** What this service says of an answer. */
const OWN = [RESULT_FIELD.toLowerCase()];
const DROPPED = new FieldNames([...OWN, ...ABOUT_THE_BODY, ...FOR_SHARED_CACHES, ...FOR_ANOTHER_BODY]);

/** Directives of `Cache-Control` that are about shared caches, or narrow down what is private. */
const SHARED_DIRECTIVE: ReadonlySet<string> = new Set([
  'public',
  'private',
  's-maxage',
  'immutable',
  'proxy-revalidate',
]);
const DIRECTIVE = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,"]*))?/gu;

/** Whether a field of an answer is dropped if the answer is enforced. */
function isDropped(name: string): boolean {
  return DROPPED.has(name) || isForOneCdn(name) || OF_THE_BODY_OTHERWISE.test(name);
}

/** Such as `Fastly-CDN-Cache-Control`. */
function isForOneCdn(name: string): boolean {
  return name.length > CDN.length + 1 && name.toLowerCase().endsWith(`-${CDN}`);
}

/**
 * What becomes of the header fields of an answer that is enforced: none describes the original body, no shared cache may store
 * the answer, and no server in front replaces it (docs/proxy.md).
 *
 * @param identityHeaders on which the answer depends, besides `Authorization`
 */
export function changesOfAnswer(fields: HeaderFields, identityHeaders: readonly string[]): FieldChanges {
  return {
    set: replacements(fields, identityHeaders),
    remove: fields.map(([name]) => name.toLowerCase()).filter(isDropped),
  };
}

/** The same for an answer whose body goes on as it is, with the fields that describe it. */
export function changesOfPassing(fields: HeaderFields, identityHeaders: readonly string[]): FieldChanges {
  const { set, remove } = changesOfAnswer(fields, identityHeaders);
  return { set, remove: remove.filter((name) => !OF_BODY.has(name)) };
}

/** The fields after the changes of {@link changesOfAnswer}. */
export function enforcedFields(fields: HeaderFields, identityHeaders: readonly string[]): HeaderFields {
  const kept: HeaderFields[number][] = [];
  for (const field of fields) {
    const [name] = field;
    if (!isDropped(name) && !REPLACED.has(name)) kept.push(field);
  }
  kept.push(...replacements(fields, identityHeaders));
  return kept;
}

/** The fields after the changes of {@link changesOfPassing}. */
export function passingFields(fields: HeaderFields, identityHeaders: readonly string[]): HeaderFields {
  const ofBody = fields.filter(([name]) => OF_BODY.has(name));
  return [...enforcedFields(fields, identityHeaders), ...ofBody];
}

const OF_BODY = new FieldNames(['content-length', 'content-encoding']);
const REPLACED = new FieldNames(['cache-control', 'vary']);

function replacements(fields: HeaderFields, identityHeaders: readonly string[]): HeaderFields {
  return [
    ['Cache-Control', privateCaching(valuesOf(fields, 'cache-control'))],
    ['Vary', varyWith(fields, ['Authorization', ...identityHeaders])],
  ];
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
