import { Counter, Histogram, type Registry } from 'prom-client';
import type { Outcome } from '../../places/listener/outcome.ts';
import { metricName } from './names.ts';
import { BUCKETS } from './request-metrics.ts';

/** What became of an exchange between a client and upstream. */
export interface ExchangeReport extends Outcome {
  readonly place: string;
  readonly outcome: string;
}

/** What is counted of exchanges. The route is that of the configuration, so that no label comes from a client. */
export class ExchangeMetrics {
  readonly #exchanges: Counter<'place' | 'route' | 'outcome'>;
  readonly #durations: Histogram<'place' | 'route'>;

  constructor(registry: Registry) {
    this.#exchanges = new Counter({
      name: metricName('exchanges_total'),
      help: 'Exchanges between clients and upstream, by place, route and outcome: enforced, passed, refused or gone.',
      labelNames: ['place', 'route', 'outcome'],
      registers: [registry],
    });
    this.#durations = new Histogram({
      name: metricName('exchange_duration_seconds'),
      help: 'Time from the header of a request to the end of the exchange, upstream included.',
      labelNames: ['place', 'route'],
      buckets: BUCKETS,
      registers: [registry],
    });
  }

  observe({ place, route, outcome, milliseconds }: ExchangeReport): void {
    this.#exchanges.inc({ place, route, outcome });
    this.#durations.observe({ place, route }, milliseconds / 1000);
  }
}
