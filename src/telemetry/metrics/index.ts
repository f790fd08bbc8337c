/** Metrics for Prometheus. */
export { Metrics } from './metrics.ts';
export { metricName } from './names.ts';
export type { RequestOutcome } from './request-outcome.ts';
export { shareMetrics, sharedMetrics } from './shared.ts';
