import {
  BODY_MUTATION,
  BODY_RESPONSE,
  BODY_SEND_MODE,
  COMMON_RESPONSE,
  HEADER_APPEND_ACTION,
  HEADER_MUTATION,
  HEADER_SEND_MODE,
  HEADER_VALUE,
  HEADER_VALUE_OPTION,
  HEADERS_RESPONSE,
  HTTP_STATUS,
  IMMEDIATE_RESPONSE,
  PROCESSING_MODE,
  PROCESSING_RESPONSE,
  STREAMED_BODY_RESPONSE,
  TRAILERS_RESPONSE,
} from './fields.ts';
import type { Fields, Side } from './request.ts';
import {
  bytesField,
  field,
  flagField,
  latin1Field,
  Message,
  textField,
  uintField,
  type Encoded,
} from './encoded.ts';

/** How Envoy changes header fields. */
export interface HeaderMutation {
  /** Each in place of all fields of its name. */
  readonly set: Fields;
  readonly remove: readonly string[];
}

export const NO_MUTATION: HeaderMutation = { set: [], remove: [] };

/** Lets the headers of a message go on. */
export function headersAnswer(side: Side, mutation: HeaderMutation): Encoded {
  const common = mutationField(COMMON_RESPONSE.headerMutation, mutation);
  return field(
    side === 'request' ? PROCESSING_RESPONSE.requestHeaders : PROCESSING_RESPONSE.responseHeaders,
    field(HEADERS_RESPONSE.response, common),
  );
}

/** Has Envoy send nothing of the response. It may ignore this (`allow_mode_override`), and then sends all of it. */
export function withoutResponse(answer: Encoded): Encoded {
  return withModes(answer, uintField(PROCESSING_MODE.responseHeaderMode, HEADER_SEND_MODE.SKIP));
}

/** Has Envoy send only the trailers of a response whose headers are here. It may ignore this, as in {@link withoutResponse}. */
export function withoutResponseBody(answer: Encoded): Encoded {
  return withModes(answer, uintField(PROCESSING_MODE.responseTrailerMode, HEADER_SEND_MODE.SEND));
}

/** Has Envoy send the trailers of an answer that it buffers. */
export function withTrailers(answer: Encoded): Encoded {
  const modes = [
    uintField(PROCESSING_MODE.responseHeaderMode, HEADER_SEND_MODE.SEND),
    uintField(PROCESSING_MODE.responseBodyMode, BODY_SEND_MODE.BUFFERED),
    uintField(PROCESSING_MODE.responseTrailerMode, HEADER_SEND_MODE.SEND),
  ];
  return new Message([answer, field(PROCESSING_RESPONSE.modeOverride, ...modes)]);
}

function withModes(answer: Encoded, mode: Encoded): Encoded {
  const noBody = uintField(PROCESSING_MODE.responseBodyMode, BODY_SEND_MODE.NONE);
  return new Message([answer, field(PROCESSING_RESPONSE.modeOverride, mode, noBody)]);
}

/** Lets a piece of a body go on unchanged, in any mode but FULL_DUPLEX_STREAMED. */
export function bodyAnswer(side: Side): Encoded {
  return bodyField(side);
}

/** Replaces a whole body, in mode BUFFERED. */
export function replacedBody(body: readonly Uint8Array[], mutation: HeaderMutation): Encoded {
  return bodyField(
    'response',
    mutationField(COMMON_RESPONSE.headerMutation, mutation),
    field(COMMON_RESPONSE.bodyMutation, bytesField(BODY_MUTATION.body, body)),
  );
}

/** Sends a piece of a body, in mode FULL_DUPLEX_STREAMED. */
export function bodyPiece(side: Side, body: readonly Uint8Array[], last: boolean): Encoded {
  const piece = field(
    BODY_MUTATION.streamedResponse,
    bytesField(STREAMED_BODY_RESPONSE.body, body),
    flagField(STREAMED_BODY_RESPONSE.endOfStream, last),
  );
  return bodyField(side, field(COMMON_RESPONSE.bodyMutation, piece));
}

export function trailersAnswer(side: Side, mutation: HeaderMutation): Encoded {
  return field(
    side === 'request' ? PROCESSING_RESPONSE.requestTrailers : PROCESSING_RESPONSE.responseTrailers,
    mutationField(TRAILERS_RESPONSE.headerMutation, mutation),
  );
}

/** An answer in place of the one from upstream. */
export interface Immediate {
  readonly status: number;
  readonly fields: Fields;
  readonly body: Uint8Array;
  /** For Envoy's access log. */
  readonly details: string;
}

export function immediateAnswer({ status, fields, body, details }: Immediate): Encoded {
  return field(
    PROCESSING_RESPONSE.immediateResponse,
    field(IMMEDIATE_RESPONSE.status, uintField(HTTP_STATUS.code, status)),
    mutationField(IMMEDIATE_RESPONSE.headers, { set: fields, remove: [] }),
    bytesField(IMMEDIATE_RESPONSE.body, [body]),
    textField(IMMEDIATE_RESPONSE.details, details),
  );
}

function bodyField(side: Side, ...common: readonly Encoded[]): Encoded {
  return field(
    side === 'request' ? PROCESSING_RESPONSE.requestBody : PROCESSING_RESPONSE.responseBody,
    field(BODY_RESPONSE.response, ...common),
  );
}

function mutationField(number: number, { set, remove }: HeaderMutation): Encoded {
  return field(
    number,
    ...set.map(([name, value]) => field(HEADER_MUTATION.setHeaders, ...optionOf(name, value))),
    ...remove.map((name) => textField(HEADER_MUTATION.removeHeaders, name)),
  );
}

function optionOf(name: string, value: string): readonly Encoded[] {
  return [
    field(
      HEADER_VALUE_OPTION.header,
      textField(HEADER_VALUE.key, name),
      latin1Field(HEADER_VALUE.rawValue, value),
    ),
    uintField(HEADER_VALUE_OPTION.appendAction, HEADER_APPEND_ACTION.OVERWRITE_IF_EXISTS_OR_ADD),
  ];
}
