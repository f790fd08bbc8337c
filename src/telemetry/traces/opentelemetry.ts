import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../log/index.ts';
import { VERSION } from '../../version.ts';
import { exportFailure } from './export-failure.ts';
import { RequestTrace } from './request-trace.ts';
import type { Tracing, HeaderFields, TracedCall } from './tracing.ts';
import { SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { contextIn, withContext } from './propagation.ts';

/** The destination of traces, and what goes into them. */
interface ExportOptions {
  readonly endpoint: string;
  readonly serviceName: string;
  readonly sampleRatio: number;
}

/** How long one attempt to send may take, and so how long closing may. Milliseconds. */
const EXPORT_TIMEOUT = 3000;
/** The path at which a collector takes traces by default (OTLP/HTTP). */
const TRACES_PATH = '/v1/traces';

/** Traces by OpenTelemetry, sent in batches; that they cannot be sent is logged and stops nothing. */
export function createTracing(options: ExportOptions, log: Logger): Tracing {
  const warn = (error: unknown): void => log.warn('Trace export failed', { reason: exportFailure(error) });
  setGlobalErrorHandler(warn);
  const provider = createProvider(options);
  const tracer = provider.getTracer('authz-jsonmasking', VERSION);
  return {
    begin: (request) => RequestTrace.begin(tracer, request),
    call: (call, send) => tracedCall(tracer, call, send),
    close: () => provider.shutdown().catch(warn),
  };
}

function createProvider({ endpoint, serviceName, sampleRatio }: ExportOptions): TracerProvider {
  const exporter = new OTLPTraceExporter({
    url: tracesUrl(endpoint),
    timeoutMillis: EXPORT_TIMEOUT,
    // Explicit: NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment must not switch off that the collector is verified.
    httpAgentOptions: { keepAlive: true, rejectUnauthorized: true },
  });
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': VERSION }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT })],
  });
}

function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = TRACES_PATH;
  return url.href;
}

/** Makes a call as a span, a child of the one that its header fields name. */
async function tracedCall<T>(
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
