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
const PARTIAL_CONTENT = 206;

/**
 * Reads the head of an answer on a route that enforces (places §3).
 *
 * @param options whether the route lets bodies pass that are not JSON
 * @throws ServiceError `response-not-enforceable` if the body cannot be read
 */
export function readAnswerHead(
  head: AnswerHead,
  { passesNonJson }: { readonly passesNonJson: boolean },
): AnswerReading {
  if (head.status === SWITCHING_PROTOCOLS) throw upgradeRefused();
  if (head.method === 'HEAD' || head.status < 200 || BODILESS.has(head.status)) return { body: 'none' };
  const type = mediaTypeOf(valuesOf(head.fields, 'content-type'));
  const format = type && formatOf(type);
  if (format === undefined) {
    if (passesNonJson) return { body: 'passed' };
    throw notEnforceable('is not JSON');
  }
  if (head.status === PARTIAL_CONTENT) throw notEnforceable('is only a part (206)');
  if (!UTF8.has((type?.params.get('charset') ?? 'utf-8').toLowerCase()))
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

/** Undefined if there is none, or more than one. */
function mediaTypeOf([value, ...others]: readonly string[]): MIMEType | undefined {
  try {
    return value === undefined || others.length > 0 ? undefined : new MIMEType(value);
  } catch {
    return undefined;
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
