// Written by `npm run docs` from src/places/ext-proc/protocol/external-processor.proto.

export const PROCESSING_REQUEST = {
  requestHeaders: 2,
  responseHeaders: 3,
  requestBody: 4,
  responseBody: 5,
  requestTrailers: 6,
  responseTrailers: 7,
  metadataContext: 8,
  observabilityMode: 10,
  protocolConfig: 11,
} as const;

export const PROTOCOL_CONFIGURATION = {
  requestBodyMode: 1,
  responseBodyMode: 2,
  sendBodyWithoutWaitingForHeaderResponse: 3,
} as const;

export const BODY_SEND_MODE = {
  NONE: 0,
  STREAMED: 1,
  BUFFERED: 2,
  BUFFERED_PARTIAL: 3,
  FULL_DUPLEX_STREAMED: 4,
  GRPC: 5,
} as const;

export const HTTP_HEADERS = {
  headers: 1,
  endOfStream: 3,
} as const;

export const HTTP_BODY = {
  body: 1,
  endOfStream: 2,
} as const;

export const HTTP_TRAILERS = {
  trailers: 1,
} as const;

export const HEADER_MAP = {
  headers: 1,
} as const;

export const HEADER_VALUE = {
  key: 1,
  value: 2,
  rawValue: 3,
} as const;

export const METADATA = {
  filterMetadata: 1,
} as const;

export const STRUCT = {
  fields: 1,
} as const;

export const VALUE = {
  nullValue: 1,
  numberValue: 2,
  stringValue: 3,
  boolValue: 4,
  structValue: 5,
  listValue: 6,
} as const;

export const LIST_VALUE = {
  values: 1,
} as const;

export const PROCESSING_RESPONSE = {
  requestHeaders: 1,
  responseHeaders: 2,
  requestBody: 3,
  responseBody: 4,
  requestTrailers: 5,
  responseTrailers: 6,
  immediateResponse: 7,
  modeOverride: 9,
} as const;

export const HEADERS_RESPONSE = {
  response: 1,
} as const;

export const BODY_RESPONSE = {
  response: 1,
} as const;

export const TRAILERS_RESPONSE = {
  headerMutation: 1,
} as const;

export const COMMON_RESPONSE = {
  headerMutation: 2,
  bodyMutation: 3,
} as const;

export const HEADER_MUTATION = {
  setHeaders: 1,
  removeHeaders: 2,
} as const;

export const HEADER_VALUE_OPTION = {
  header: 1,
  appendAction: 3,
} as const;

export const HEADER_APPEND_ACTION = {
  APPEND_IF_EXISTS_OR_ADD: 0,
  ADD_IF_ABSENT: 1,
  OVERWRITE_IF_EXISTS_OR_ADD: 2,
} as const;

export const BODY_MUTATION = {
  body: 1,
  streamedResponse: 3,
} as const;

export const STREAMED_BODY_RESPONSE = {
  body: 1,
  endOfStream: 2,
} as const;

export const IMMEDIATE_RESPONSE = {
  status: 1,
  headers: 2,
  body: 3,
  details: 5,
} as const;

export const HTTP_STATUS = {
  code: 1,
} as const;

export const PROCESSING_MODE = {
  responseHeaderMode: 2,
  responseBodyMode: 4,
  responseTrailerMode: 6,
} as const;

export const HEADER_SEND_MODE = {
  DEFAULT: 0,
  SEND: 1,
  SKIP: 2,
} as const;
