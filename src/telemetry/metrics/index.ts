/** Metrics for Prometheus. */
export { Metrics, type PolicyMetrics } from './metrics.ts';
export { metricName } from './names.ts';
export type { ProxyOutcome } from './proxy-outcome.ts';
export type { RequestOutcome } from './request-outcome.ts';
export { shareMetrics, sharedMetrics } from './shared.ts';
