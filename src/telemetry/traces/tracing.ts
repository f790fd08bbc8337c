/** Header fields in their order and spelling. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

/** A request as it is traced. */
export interface TracedRequest {
  readonly method: string;
  /** The path of the route, which contains nothing of the caller's. */
  readonly route: string;
  /** The caller's fields, which may include `traceparent` and `tracestate`. */
  readonly headers: HeaderFields;
}

/** How a request ended. */
export interface TracedEnd {
  /** Undefined if the caller disconnected before the answer was sent. */
  readonly status: number | undefined;
  /** The code of the error that was answered. */
  readonly error: string | undefined;
}

/** A part of a request. */
interface TracedPart {
  end(): void;
  /** Ends it as failed. */
  fail(): void;
}

/** One request as a part of its trace. */
export interface Trace {
  /** The id in `traceparent`; undefined without a trace. */
  readonly traceId: string | undefined;
  /** Adds the header field that continues the trace at the PDP. */
  carry(headers: HeaderFields): HeaderFields;
  /** Begins a named part of the request. */
  begin(name: string): TracedPart;
  end(how: TracedEnd): void;
}

/** A call to another service as it is traced. */
export interface TracedCall {
  readonly name: string;
  /** The fields that the call sends. They name the trace that it is a part of. */
  readonly headers: HeaderFields;
  /** The code of an error: the error itself may name a user. */
  readonly codeOf: (error: unknown) => string;
}

/** Traces of what the service does (W3C Trace Context). They contain nothing of payloads and users. */
export interface Tracing {
  begin(request: TracedRequest): Trace;
  /**
   * Makes a call as a part of its trace; undefined if the service makes no spans.
   *
   * @param send gets the fields to send, which continue the trace
   */
  readonly call?: <T>(call: TracedCall, send: (headers: HeaderFields) => Promise<T>) => Promise<T>;
  /** Sends the spans that were not sent yet. */
  close(): Promise<void>;
}
