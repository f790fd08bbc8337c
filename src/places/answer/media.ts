import { MIMEType } from 'node:util';
import type { HeaderFields } from '../../enforcement/index.ts';
import { isUtf8, valuesOf } from '../listener/index.ts';

/** A body that is one payload, or a stream of records, each a payload. */
export type BodyFormat = 'json' | RecordFormat;
export type RecordFormat = 'ndjson' | 'json-seq' | 'event-stream';

/** What the fields of an answer say of its body: how it is read, that it is of another type, or why it cannot be known. */
export type Media =
  | { readonly format: BodyFormat }
  /** A media type that is not JSON. */
  | { readonly format: 'other' }
  | { readonly format: 'unclear'; readonly reason: string };

/** Formats by subtype. Applications use many names: what is JSON is enforced whatever it is called. */
const FORMATS: ReadonlyMap<string, BodyFormat> = new Map([
  ['json', 'json'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['jsonlines', 'ndjson'],
  ['json-lines', 'ndjson'],
  ['ldjson', 'ndjson'],
  ['json-seq', 'json-seq'],
  ['event-stream', 'event-stream'],
]);
/** `application/json`, `text/x-json`, and any type with a suffix such as `+json`. */
const OF_FORMAT = /^(?:(?:application|text)\/(?:x-)?|.*\+)([^+]*)$/u;

/** By its suffix it would be one payload. Spring before 5.3 has one on each line. */
const STREAM_OF_SPRING = 'application/stream+json';

/** As most applications write it. Parsing takes longer than all else that is done with a head. */
const PLAIN_JSON: ReadonlySet<string> = new Set(['application/json', 'application/json; charset=utf-8']);

/**
 * Reads `Content-Type` (docs/proxy.md). A client takes a body without a type, or with several, for whatever it likes. So such
 * a body is unclear.
 */
export function mediaOf(fields: HeaderFields): Media {
  const [value, ...others] = valuesOf(fields, 'content-type');
  if (value === undefined) return unclear('it has no Content-Type');
  if (others.length > 0) return unclear('it has more than one Content-Type');
  return PLAIN_JSON.has(value) ? { format: 'json' } : read(value);
}

/** The value of a parameter, which may have commas; without a quote at its end, all the rest, so that none of it is read twice. */
const QUOTED = /"(?:[^"\\]|\\.|\\$)*("|$)/gsu;
const ANY_TYPE = '*/*';
/**
 * Media types of bodies with parts, each of which may be JSON. GraphQL servers answer with them if the client accepts that (`@defer`), and
 * OData services answer `$batch` with them.
 */
const HAS_PARTS = /^(?:multipart\/|(?:application|message)\/http$)/u;
const UNKNOWN_JSON = 'its Content-Type is a kind of JSON that is not known';

function read(value: string): Media {
  // Of a list, some clients take the first type and some the last one.
  const unquoted = value.replaceAll(QUOTED, (quoted: string, end: string) => (end === '' ? quoted : ''));
  if (unquoted.includes(',')) return unclear('it has more than one Content-Type');
  const type = parsed(value);
  if (type === undefined || type.essence === ANY_TYPE) return unclear('its Content-Type cannot be read');
  const format = formatOf(type);
  if (format === undefined) return withoutFormat(type);
  return isUtf8(value, type) ? { format } : unclear('its charset is not UTF-8');
}

function withoutFormat(type: MIMEType): Media {
  if (isNearJson(type)) return unclear(UNKNOWN_JSON);
  return HAS_PARTS.test(type.essence) ? unclear('its parts may be JSON') : { format: 'other' };
}

/** Such as `application/json5` or `application/x-amz-json-1.1`: whether a client parses it, nobody knows. */
function isNearJson({ essence }: MIMEType): boolean {
  return essence.includes('json');
}

function parsed(value: string): MIMEType | undefined {
  try {
    return new MIMEType(value);
  } catch {
    return undefined;
  }
}

function formatOf({ essence }: MIMEType): BodyFormat | undefined {
  if (essence === STREAM_OF_SPRING) return 'ndjson';
  return FORMATS.get(OF_FORMAT.exec(essence)?.[1] ?? '');
}

function unclear(reason: string): Media {
  return { format: 'unclear', reason };
}
