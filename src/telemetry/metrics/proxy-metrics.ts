import { Counter, Histogram, type Registry } from 'prom-client';
import { metricName } from './names.ts';
import type { ProxyOutcome } from './proxy-outcome.ts';

/** From a small answer of a local application to the longest that it may take. Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What is counted of exchanges through the reverse proxy. A route is labelled by its path in the configuration. */
export class ProxyMetrics {
  readonly #exchanges: Counter<'route' | 'result'>;
  readonly #durations: Histogram<'route' | 'stage'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#exchanges = new Counter({
      name: metricName('proxy_exchanges_total'),
      help: 'Exchanges through the reverse proxy, by route and result: passed, enforced, streamed, refused, failed or gone.',
      labelNames: ['route', 'result'],
      registers,
    });
    this.#durations = new Histogram({
      name: metricName('proxy_stage_duration_seconds'),
      help: 'Time of exchanges through the reverse proxy in the application ("upstream"), in the PDP and in masking.',
      labelNames: ['route', 'stage'],
      buckets: BUCKETS,
      registers,
    });
  }

  observe({ route, result, times }: ProxyOutcome): void {
    this.#exchanges.inc({ route, result });
    for (const [stage, milliseconds] of Object.entries(times))
      this.#durations.observe({ route, stage }, milliseconds / 1000);
  }
}
