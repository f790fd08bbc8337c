/** Metrics for Prometheus. */
export type { Metrics, PolicyMetrics } from './metrics.ts';
export { metricName } from './names.ts';
export type { ProxyOutcome } from './proxy-outcome.ts';
export type { RequestOutcome } from './request-outcome.ts';

/** Collects metrics. */
export const loadMetrics = () => import('./metrics.ts');
/** Adds up the metrics of several processes. */
export const loadSharedMetrics = () => import('./shared.ts');
