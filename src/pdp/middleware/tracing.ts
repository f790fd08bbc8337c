import { SpanKind, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import { ServiceError } from '../../errors.ts';
import type { Asked, PdpConnection, Port } from '../port.ts';
import { contextIn, withContext } from '../../telemetry/traces/propagation.ts';

/** A PDP whose calls are spans, each a child of the one that the question's header carries. */
export class TracedPdp<Q extends Asked, A> implements Port<Q, A> {
  readonly #pdp: Port<Q, A>;
  readonly #tracer: Tracer;

  constructor(pdp: Port<Q, A>, tracer: Tracer) {
    this.#pdp = pdp;
    this.#tracer = tracer;
  }

  async decide(question: Q): Promise<A> {
    const parent = contextIn(question.headers);
    const span = this.#tracer.startSpan(`PDP ${question.calculationType}`, { kind: SpanKind.CLIENT }, parent);
    const headers = withContext(question.headers, trace.setSpan(parent, span));
    try {
      return await this.#pdp.decide({ ...question, headers });
    } catch (error) {
      markFailed(span, error, question);
      throw error;
    } finally {
      span.end();
    }
  }

  connection(): Promise<PdpConnection> {
    return this.#pdp.connection();
  }

  close(): Promise<void> {
    return this.#pdp.close();
  }
}

/** By the code alone: the reason of a PDP may name a user. */
function markFailed(span: Span, error: unknown, { signal }: Asked): void {
  const code = error instanceof ServiceError ? error.code : 'internal-error';
  span.setAttribute('error.type', signal?.aborted === true ? 'cancelled' : code);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
