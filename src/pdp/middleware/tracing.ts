import type { Tracing } from '../../telemetry/traces/index.ts';
import type { Asked, PdpConnection, Port } from '../port.ts';
import { outcomeOf } from './outcome.ts';

/** A PDP whose calls are parts of the traces that their header fields name. */
export function withTracing<Q extends Asked, A>(pdp: Port<Q, A>, tracing: Tracing): Port<Q, A> {
  return tracing.call ? new TracedPdp(pdp, tracing.call) : pdp;
}

type TraceCall = NonNullable<Tracing['call']>;

class TracedPdp<Q extends Asked, A> implements Port<Q, A> {
  readonly #pdp: Port<Q, A>;
  readonly #trace: TraceCall;

  constructor(pdp: Port<Q, A>, trace: TraceCall) {
    this.#pdp = pdp;
    this.#trace = trace;
  }

  decide(question: Q): Promise<A> {
    const call = {
      name: `PDP ${question.calculationType}`,
      headers: question.headers,
      codeOf: (error: unknown) => outcomeOf(error, question),
    };
    return this.#trace(call, (headers) => this.#pdp.decide({ ...question, headers }));
  }

  connection(): Promise<PdpConnection> {
    return this.#pdp.connection();
  }

  close(): Promise<void> {
    return this.#pdp.close();
  }
}
