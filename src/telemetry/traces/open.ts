import type { Logger } from '../log/index.ts';
import { TRACING_OFF } from './off.ts';
import type { Tracing } from './tracing.ts';

/** Where traces go and what goes into them. */
export interface TracingOptions {
  /** Where they are sent, by OTLP over HTTP; undefined: there are none. */
  readonly endpoint?: string | undefined;
  readonly serviceName: string;
  /** Which part of the requests is traced where the caller has not decided, from 0 to 1. */
  readonly sampleRatio: number;
}

/** Opens traces. What they need is loaded only where they are wanted. */
export async function openTracing(options: TracingOptions, log: Logger): Promise<Tracing> {
  const { endpoint } = options;
  if (endpoint === undefined) return TRACING_OFF;
  const { createTracing } = await import('./opentelemetry.ts');
  return createTracing({ ...options, endpoint }, log);
}
