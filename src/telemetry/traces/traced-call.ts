import { SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { contextIn, withContext } from './propagation.ts';
import type { HeaderFields, TracedCall } from './tracing.ts';

/** Makes a call as a span, a child of the one that its header fields name. */
export async function tracedCall<T>(
  tracer: Tracer,
  { name, headers, codeOf }: TracedCall,
  send: (headers: HeaderFields) => Promise<T>,
): Promise<T> {
  const parent = contextIn(headers);
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT }, parent);
  try {
    return await send(withContext(headers, trace.setSpan(parent, span)));
  } catch (error) {
    span.setAttribute('error.type', codeOf(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
