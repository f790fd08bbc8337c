import { performance } from 'node:perf_hooks';
import { Counter, Histogram, type Registry } from 'prom-client';
import { ServiceError } from '../../errors.ts';
import type { PdpPort, PdpQuestion } from '../../pdp/port.ts';
import { metricName } from './names.ts';

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A PDP whose calls are counted and timed. */
class MeasuredPdp implements PdpPort {
  readonly #pdp: PdpPort;
  readonly #calls: Counter<'calculation_type' | 'outcome'>;
  readonly #durations: Histogram<'calculation_type'>;

  constructor(pdp: PdpPort, registry: Registry) {
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

  async decide(question: PdpQuestion): Promise<Uint8Array> {
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
      finished(failureOf(error, question));
      throw error;
    }
  }

  connection(): ReturnType<PdpPort['connection']> {
    return this.#pdp.connection();
  }

  close(): Promise<void> {
    return this.#pdp.close();
  }
}

function failureOf(error: unknown, { signal }: PdpQuestion): string {
  if (signal?.aborted) return 'cancelled';
  return error instanceof ServiceError ? error.code : 'internal-error';
}

/** The same PDP, with its calls counted and timed by outcome; nothing of a question becomes a label but its type. */
export function measurePdp(pdp: PdpPort, registry: Registry): PdpPort {
  return new MeasuredPdp(pdp, registry);
}
