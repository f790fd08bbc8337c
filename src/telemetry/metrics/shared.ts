import { AggregatorRegistry, type Registry } from 'prom-client';

/** Has a worker process hand over its metrics when the primary process asks for them. */
export function shareMetrics(registry: Registry): void {
  AggregatorRegistry.setRegistries([registry]);
  joinAggregation();
}

/**
 * In the primary process: a way to read the metrics of all workers as one, counters and gauges added up, in Prometheus' text
 * format. What a worker counted that has died is lost, which looks like a restart.
 */
export function sharedMetrics(): () => Promise<string> {
  const aggregator = joinAggregation();
  return () => aggregator.clusterMetrics();
}

/** Creating one has this process take part in the exchange of messages by which metrics are collected. */
function joinAggregation(): AggregatorRegistry<'text/plain; version=0.0.4; charset=utf-8'> {
  return new AggregatorRegistry();
}
