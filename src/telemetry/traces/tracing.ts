import type { Asked, HeaderFields, Port } from '../../pdp/port.ts';

/** What a request is traced as. */
export interface TracedRequest {
  readonly method: string;
  /** The path of the route, which holds nothing of the caller's. */
  readonly route: string;
  /** What the caller sent on, `traceparent` and `tracestate` perhaps among it. */
  readonly headers: HeaderFields;
}

/** How a request ended. */
export interface TracedEnd {
  /** Undefined where the caller had gone. */
  readonly status: number | undefined;
  /** The code of the error that was answered. */
  readonly error: string | undefined;
}

/** One request as a part of its trace. */
export interface Trace {
  /** As it stands in `traceparent`; undefined where there is no trace. */
  readonly traceId: string | undefined;
  /** The header with which the trace goes on to the PDP. */
  carry(headers: HeaderFields): HeaderFields;
  /** Does work as a part of the request that has a name of its own. */
  measure<T>(name: string, work: () => T): T;
  end(how: TracedEnd): void;
}

/** Traces of what the service does (W3C Trace Context). Nothing of payloads and users gets into them. */
export interface Tracing {
  begin(request: TracedRequest): Trace;
  /** The same PDP, each call of which is a part of the trace that its header carries. */
  follow<Q extends Asked, A>(pdp: Port<Q, A>): Port<Q, A>;
  /** Sends what was not sent yet. */
  close(): Promise<void>;
}
