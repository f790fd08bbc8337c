/** Traces (W3C Trace Context, OpenTelemetry). */
export { NO_TRACE, TRACING_OFF } from './off.ts';
export { openTracing } from './open.ts';
export type { Trace, Tracing } from './tracing.ts';
