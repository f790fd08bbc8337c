import type { Logger } from '../log/index.ts';
import { TRACING_OFF } from './off.ts';
import type { Tracing } from './tracing.ts';

/** The destination of traces, and what goes into them. */
export interface TracingOptions {
  /** The URL of the collector, which takes OTLP over HTTP; undefined: no traces. */
  readonly endpoint?: string | undefined;
  readonly serviceName: string;
  /** The share of requests that are traced if the caller has not decided, from 0 to 1. */
  readonly sampleRatio: number;
}

/** Opens traces. Their packages are loaded only if traces are configured. */
export async function openTracing(options: TracingOptions, log: Logger): Promise<Tracing> {
  const { endpoint } = options;
  if (endpoint === undefined) return TRACING_OFF;
  const { createTracing } = await import('./opentelemetry.ts');
  return createTracing({ ...options, endpoint }, log);
}
