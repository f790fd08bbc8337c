import { MIMEType } from 'node:util';
import { ServiceError } from '../../errors.ts';
import type { HeaderFields } from '../../enforcement/index.ts';

/** What the application says ahead of a body. */
export interface AnswerHead {
  /** Of the request. */
  readonly method: string;
  readonly status: number;
  readonly fields: HeaderFields;
}

/** How the body of an answer is to be read. */
type BodyFormat = 'json' | 'ndjson' | 'json-seq' | 'event-stream';

/** A content coding that can be decoded. */
export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** What becomes of an answer on a route that enforces. */
export type AnswerReading =
  /** It has no body. */
  | { readonly body: 'none' }
  /** Its body is not JSON, and the route lets that pass. */
  | { readonly body: 'passed' }
  | { readonly body: BodyFormat; readonly coding: Coding | undefined };

const FORMATS: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/json-seq', 'json-seq'],
  ['text/event-stream', 'event-stream'],
]);
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);
const UTF8: ReadonlySet<string> = new Set(['utf-8', 'utf8']);
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
const SWITCHING_PROTOCOLS = 101;
/** A range of a representation (RFC 9110), and a difference between two (RFC 3229). */
const PARTS: ReadonlySet<number> = new Set([206, 226]);

/**
 * Reads the head of an answer on a route that enforces (places §3).
 *
 * @param options whether the route lets bodies pass that are not JSON, and whether there is a body
 * @throws ServiceError `response-not-enforceable` if the body cannot be read
 */
export function readAnswerHead(
  head: AnswerHead,
  { passesNonJson, hasBody }: { readonly passesNonJson: boolean; readonly hasBody: boolean },
): AnswerReading {
  if (head.status === SWITCHING_PROTOCOLS) throw upgradeRefused();
  if (!hasBody || head.method === 'HEAD' || head.status < 200 || BODILESS.has(head.status))
    return { body: 'none' };
  if (PARTS.has(head.status)) throw notEnforceable(`is only a part (${head.status})`);
  const type = mediaTypeOf(valuesOf(head.fields, 'content-type'));
  const format = formatOf(type);
  if (format === undefined) {
    if (passesNonJson) return { body: 'passed' };
    throw notEnforceable('is not JSON');
  }
  if (!isUtf8(type, valuesOf(head.fields, 'content-type')))
    throw notEnforceable('has a charset that is not UTF-8');
  return { body: format, coding: codingOf(head.fields) };
}

/** Another protocol than HTTP cannot be enforced. */
export function upgradeRefused(): ServiceError {
  return new ServiceError(
    'upgrade-refused',
    'On this route, answers are enforced, and other protocols cannot be.',
  );
}

/** What the application sends cannot be enforced. @param what the end of a sentence that begins with "The answer of the application" */
export function notEnforceable(what: string): ServiceError {
  return new ServiceError('response-not-enforceable', `The answer of the application ${what}.`);
}

/** The values of all fields of a name in lower case. */
export function valuesOf(fields: HeaderFields, name: string): readonly string[] {
  return fields.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}

/** Readers differ in which of several charsets counts. */
function isUtf8(type: MIMEType, [value = '']: readonly string[]): boolean {
  const written = value.match(/;\s*charset\s*=/giu) ?? [];
  return written.length <= 1 && UTF8.has((type.params.get('charset') ?? 'utf-8').toLowerCase());
}

/** A client takes a body without a type, or with several, for whatever it likes. So such a body may be JSON. */
function mediaTypeOf([value, ...others]: readonly string[]): MIMEType {
  if (value === undefined) throw notEnforceable('has no Content-Type');
  if (others.length > 0) throw notEnforceable('has more than one Content-Type');
  try {
    return new MIMEType(value);
  } catch {
    throw notEnforceable('has a Content-Type that cannot be read');
  }
}

function formatOf({ essence, subtype }: MIMEType): BodyFormat | undefined {
  return FORMATS.get(essence) ?? (subtype.endsWith('+json') ? 'json' : undefined);
}

function codingOf(fields: HeaderFields): Coding | undefined {
  const [name, ...others] = valuesOf(fields, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '' && value !== 'identity');
  if (name === undefined) return undefined;
  const coding = CODINGS.get(name);
  if (coding === undefined || others.length > 0)
    throw notEnforceable('has a content encoding that cannot be decoded');
  return coding;
}
