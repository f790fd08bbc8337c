import { SpanKind, SpanStatusCode, trace, type Context, type Span, type Tracer } from '@opentelemetry/api';
import { contextIn, withContext } from './propagation.ts';
import type { HeaderFields, Trace, TracedEnd, TracedRequest } from './tracing.ts';

/** The span of one request, and those of what is done for it. */
export class RequestTrace implements Trace {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;

  private constructor(tracer: Tracer, span: Span, context: Context) {
    this.#tracer = tracer;
    this.#span = span;
    this.#context = context;
  }

  /** Continues the trace that the header of the request names, or begins a new one. */
  static begin(tracer: Tracer, { method, route, headers }: TracedRequest): RequestTrace {
    const parent = contextIn(headers);
    const attributes = { 'http.request.method': method, 'http.route': route };
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    return new RequestTrace(tracer, span, trace.setSpan(parent, span));
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  carry(headers: HeaderFields): HeaderFields {
    return withContext(headers, this.#context);
  }

  begin(name: string): ReturnType<Trace['begin']> {
    const span = this.#tracer.startSpan(name, {}, this.#context);
    return {
      end: () => span.end(),
      fail: () => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  end({ status, error }: TracedEnd): void {
    if (status !== undefined) this.#span.setAttribute('http.response.status_code', status);
    if (error !== undefined) this.#span.setAttribute('error.type', error);
    // A caller's own mistake is no failure of the service.
    if (status === undefined || status >= 500) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}
