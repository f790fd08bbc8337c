import { performance } from 'node:perf_hooks';
import { Counter, Histogram, type Registry } from 'prom-client';
import { metricName } from '../../telemetry/metrics/index.ts';
import type { Asked, PdpConnection, Port } from '../port.ts';
import { outcomeOf } from './outcome.ts';

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A PDP whose calls are counted and timed. */
class MeasuredPdp<Q extends Asked, A> implements Port<Q, A> {
  readonly #pdp: Port<Q, A>;
  readonly #calls: Counter<'calculation_type' | 'outcome'>;
  readonly #durations: Histogram<'calculation_type'>;

  constructor(pdp: Port<Q, A>, registry: Registry) {
    this.#pdp = pdp;
    this.#calls = new Counter({
      name: metricName('pdp_calls_total'),
      help: 'Calls of the PDP, by their outcome: "answered", "cancelled", or the code of an error.',
      labelNames: ['calculation_type', 'outcome'],
      registers: [registry],
    });
    this.#durations = new Histogram({
      name: metricName('pdp_call_duration_seconds'),
      help: 'How long calls of the PDP took, whatever came of them.',
      labelNames: ['calculation_type'],
      buckets: BUCKETS,
      registers: [registry],
    });
  }

  async decide(question: Q): Promise<A> {
    const start = performance.now();
    const finished = (outcome: string): void => {
      const calculation_type = question.calculationType;
      this.#calls.inc({ calculation_type, outcome });
      this.#durations.observe({ calculation_type }, (performance.now() - start) / 1000);
    };
    try {
      const answer = await this.#pdp.decide(question);
      finished('answered');
      return answer;
    } catch (error) {
      finished(outcomeOf(error, question));
      throw error;
    }
  }

  connection(): Promise<PdpConnection> {
    return this.#pdp.connection();
  }

  close(): Promise<void> {
    return this.#pdp.close();
  }
}

/** The same PDP, with its calls counted and timed by outcome. The only label of a question is its type. */
export function withMetrics<Q extends Asked, A>(pdp: Port<Q, A>, registry: Registry): Port<Q, A> {
  return new MeasuredPdp(pdp, registry);
}
