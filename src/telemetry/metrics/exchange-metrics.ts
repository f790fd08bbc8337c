import { Counter, Histogram, type Registry } from 'prom-client';
import type { RequestOutcome } from './request-outcome.ts';
import { metricName } from './names.ts';
import { BUCKETS } from './request-metrics.ts';

/** What became of an exchange that an Envoy sent. */
export interface ExchangeReport extends RequestOutcome {
  readonly outcome: string;
}

/** What is counted of the exchanges that Envoys send. The route is that of the configuration, so that no label comes from a client. */
export class ExchangeMetrics {
  readonly #exchanges: Counter<'route' | 'result'>;
  readonly #durations: Histogram<'route'>;

  constructor(registry: Registry) {
    this.#exchanges = new Counter({
      name: metricName('ext_proc_exchanges_total'),
      help: 'Exchanges that Envoys sent, by route and result: enforced, passed, refused or gone.',
      labelNames: ['route', 'result'],
      registers: [registry],
    });
    this.#durations = new Histogram({
      name: metricName('ext_proc_exchange_duration_seconds'),
      help: 'Time from the header of a request to the end of the exchange, upstream included.',
      labelNames: ['route'],
      buckets: BUCKETS,
      registers: [registry],
    });
  }

  observe({ route, outcome, milliseconds }: ExchangeReport): void {
    this.#exchanges.inc({ route, result: outcome });
    this.#durations.observe({ route }, milliseconds / 1000);
  }
}
