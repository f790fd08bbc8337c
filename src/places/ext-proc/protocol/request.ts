import {
  BODY_SEND_MODE,
  HEADER_MAP,
  HEADER_VALUE,
  HTTP_BODY,
  HTTP_HEADERS,
  HTTP_TRAILERS,
  METADATA,
  PROCESSING_REQUEST,
  PROTOCOL_CONFIGURATION,
} from './fields.ts';
import { readEntry, readStruct, type StructValue } from './struct.ts';
import { WireError, type WireReader } from './wire.ts';

/** Names in lower case, and values as Latin-1, as in `rawHeaders` of Node. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** Which of the two messages of an exchange a part belongs to. */
export type Side = 'request' | 'response';

/** One part of an HTTP message. `last` says that nothing of the message follows, not even trailers. */
export type Part =
  | { readonly side: Side; readonly kind: 'headers'; readonly fields: Fields; readonly last: boolean }
  | ({ readonly side: Side; readonly kind: 'body' } & BodyPart)
  | { readonly side: Side; readonly kind: 'trailers'; readonly fields: Fields };

export interface BodyPart {
  /** A view of the message. */
  readonly body: Buffer;
  readonly last: boolean;
}

/** How Envoy sends a body. */
export type BodyMode = keyof typeof BODY_SEND_MODE | 'UNKNOWN';

export interface BodyModes {
  readonly request: BodyMode;
  readonly response: BodyMode;
  /** Whether Envoy waits for the answer to headers before it sends the body. */
  readonly waitsForHeaders: boolean;
}

/** What Envoy says in one message. */
export interface ProcessingRequest {
  /** Undefined if it is none that this service knows. */
  readonly part: Part | undefined;
  /** By the name of the filter that wrote it. */
  readonly metadata: ReadonlyMap<string, StructValue>;
  /** Envoy heeds no answer. */
  readonly isObserved: boolean;
  /** Undefined except in the first message. */
  readonly modes: BodyModes | undefined;
}

/** How long what is not a body may be in one message, in bytes: it is read at once. Envoy takes 60 kB of header fields by default. */
const MAX_HEAD = 1024 * 1024;
const BODIES: ReadonlySet<number> = new Set([
  PROCESSING_REQUEST.requestBody,
  PROCESSING_REQUEST.responseBody,
]);

/** @throws WireError if it is not such a message, or larger than one may be */
export function readProcessingRequest(reader: WireReader): ProcessingRequest {
  let part: Part | undefined;
  let modes: BodyModes | undefined;
  let isObserved = false;
  let head = 0;
  const metadata = new Map<string, StructValue>();
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (!BODIES.has(number)) head += reader.length();
    if (head > MAX_HEAD) throw new WireError(`The message has more than ${MAX_HEAD} bytes besides a body.`);
    if (number === PROCESSING_REQUEST.protocolConfig) modes = reader.message(readModes);
    else if (number === PROCESSING_REQUEST.observabilityMode) isObserved = reader.bool();
    else if (number === PROCESSING_REQUEST.metadataContext)
      reader.message((message) => readMetadata(message, metadata));
    else part = readPart(number, reader) ?? part;
  }
  return { part, metadata, isObserved, modes };
}

function readPart(number: number, reader: WireReader): Part | undefined {
  switch (number) {
    case PROCESSING_REQUEST.requestHeaders:
      return { side: 'request', ...reader.message(readHeaders) };
    case PROCESSING_REQUEST.responseHeaders:
      return { side: 'response', ...reader.message(readHeaders) };
    case PROCESSING_REQUEST.requestBody:
      return { side: 'request', ...reader.message(readBody) };
    case PROCESSING_REQUEST.responseBody:
      return { side: 'response', ...reader.message(readBody) };
    case PROCESSING_REQUEST.requestTrailers:
      return { side: 'request', ...reader.message(readTrailers) };
    case PROCESSING_REQUEST.responseTrailers:
      return { side: 'response', ...reader.message(readTrailers) };
    default:
      reader.skip();
      return undefined;
  }
}

function readHeaders(reader: WireReader) {
  let fields: Fields = [];
  let last = false;
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === HTTP_HEADERS.headers) fields = reader.message(readHeaderMap);
    else if (number === HTTP_HEADERS.endOfStream) last = reader.bool();
    else reader.skip();
  }
  return { kind: 'headers', fields, last } as const;
}

function readBody(reader: WireReader) {
  let body: Buffer = Buffer.alloc(0);
  let last = false;
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === HTTP_BODY.body) body = reader.bytes();
    else if (number === HTTP_BODY.endOfStream) last = reader.bool();
    else reader.skip();
  }
  return { kind: 'body' as const, body, last };
}

function readTrailers(reader: WireReader) {
  let fields: Fields = [];
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === HTTP_TRAILERS.trailers) fields = reader.message(readHeaderMap);
    else reader.skip();
  }
  return { kind: 'trailers', fields } as const;
}

function readHeaderMap(reader: WireReader): Fields {
  const fields: (readonly [string, string])[] = [];
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === HEADER_MAP.headers) fields.push(reader.message(readHeaderValue));
    else reader.skip();
  }
  return fields;
}

function readHeaderValue(reader: WireReader): readonly [name: string, value: string] {
  let name = '';
  let value = '';
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === HEADER_VALUE.key) name = reader.string();
    else if (number === HEADER_VALUE.value || number === HEADER_VALUE.rawValue) value = reader.latin1();
    else reader.skip();
  }
  return [name.toLowerCase(), value];
}

function readMetadata(reader: WireReader, metadata: Map<string, StructValue>): void {
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === METADATA.filterMetadata) {
      const [name, value] = reader.message((entry) => readEntry(entry, (inner) => readStruct(inner)));
      if (value !== undefined) metadata.set(name, value);
    } else reader.skip();
  }
}

function readModes(reader: WireReader): BodyModes {
  let request = 0;
  let response = 0;
  let waitsForHeaders = true;
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === PROTOCOL_CONFIGURATION.requestBodyMode) request = reader.uint();
    else if (number === PROTOCOL_CONFIGURATION.responseBodyMode) response = reader.uint();
    else if (number === PROTOCOL_CONFIGURATION.sendBodyWithoutWaitingForHeaderResponse)
      waitsForHeaders = reader.uint() === 0;
    else reader.skip();
  }
  return { request: modeOf(request), response: modeOf(response), waitsForHeaders };
}

function modeOf(value: number): BodyMode {
  switch (value) {
    case BODY_SEND_MODE.NONE:
      return 'NONE';
    case BODY_SEND_MODE.STREAMED:
      return 'STREAMED';
    case BODY_SEND_MODE.BUFFERED:
      return 'BUFFERED';
    case BODY_SEND_MODE.BUFFERED_PARTIAL:
      return 'BUFFERED_PARTIAL';
    case BODY_SEND_MODE.FULL_DUPLEX_STREAMED:
      return 'FULL_DUPLEX_STREAMED';
    default:
      return 'UNKNOWN';
  }
}
