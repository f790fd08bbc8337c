import CircuitBreaker from 'opossum';
import { ServiceError } from '../../../errors.ts';
import { abortable } from '../../../abortable.ts';
import type { Answers, Call, PdpConnection, Transport } from '../../port.ts';
import { ErrorStatus } from '../../error-status.ts';

/** `closed`: the PDP is asked; `open`: it is not; `half-open`: the next question alone goes to it. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** When to take a PDP for down. */
export interface BreakerOptions {
  /** More failures than that of the calls in the window open the breaker, in percent. */
  readonly failurePercentage: number;
  /** Fewer calls in the window never open it. */
  readonly minimumCalls: number;
  /** How far back calls count, in milliseconds. */
  readonly window: number;
  /** How long it stays open before a question is let through to find the PDP back, in milliseconds. */
  readonly probeAfter: number;
  /** Called at each change. The breaker begins `closed`. */
  readonly onState: (state: BreakerState) => void;
}

/**
 * Keeps questions from a PDP that is down, so that callers are answered at once instead of after the deadline, and lets
 * single ones through to find it back. A question that it keeps back is rejected with `pdp-unreachable`.
 *
 * Outages count ({@link isOutage}), with all who ask taken together; a caller that hangs up says nothing of the PDP.
 * Whether the PDP is connected is asked of the PDP itself, whatever the breaker's state.
 */
export function withBreaker(pdp: Transport, options: BreakerOptions): Transport {
  return new BreakingPdp(pdp, options);
}

class BreakingPdp implements Transport {
  readonly #pdp: Transport;
  readonly #breaker: CircuitBreaker<[() => Promise<Answers>], Answers>;

  constructor(pdp: Transport, options: BreakerOptions) {
    this.#pdp = pdp;
    this.#breaker = new CircuitBreaker((ask: () => Promise<Answers>) => ask(), {
      errorThresholdPercentage: options.failurePercentage,
      volumeThreshold: options.minimumCalls,
      rollingCountTimeout: options.window,
      resetTimeout: options.probeAfter,
      errorFilter: (error: unknown) => !isOutage(error),
      // The deadline is the adapter's.
      timeout: false,
      rollingPercentilesEnabled: false,
      enableSnapshots: false,
    });
    this.#breaker.on('open', () => options.onState('open'));
    this.#breaker.on('halfOpen', () => options.onState('half-open'));
    this.#breaker.on('close', () => options.onState('closed'));
  }

  async decide(question: Call): Promise<Answers> {
    const { signal } = question;
    signal?.throwIfAborted();
    if (this.#breaker.isShutdown) return this.#pdp.decide(question);
    if (this.#isOpen()) {
      throw new ServiceError('pdp-unreachable', 'The PDP is unavailable: the circuit breaker is open.');
    }
    return this.#breaker.closed ? this.#askCounting(question) : abortable(this.#probe(question), signal);
  }

  connection(): Promise<PdpConnection> {
    return this.#pdp.connection();
  }

  close(): Promise<void> {
    this.#breaker.shutdown();
    return this.#pdp.close();
  }

  /** Checked here, because opossum would count the refused question as a call. */
  #isOpen(): boolean {
    const { closed, pendingClose } = this.#breaker;
    return !closed && !pendingClose;
  }

  /**
   * Counts a question when it is over: a caller who hangs up does not count. Opossum would count it at its beginning, as one that
   * did not fail. What was asked before the breaker opened says nothing of the PDP afterwards.
   */
  async #askCounting(question: Call): Promise<Answers> {
    const { signal } = question;
    const asked = abortable(this.#pdp.decide(question), signal);
    await Promise.allSettled([asked]);
    const counts = signal?.aborted !== true && this.#breaker.closed;
    return counts ? this.#breaker.fire(() => asked) : asked;
  }

  /** The question that probes the PDP is asked to the end, even if its caller has gone: others wait for it. */
  #probe({ calculationType, headers, messages, validityOf }: Call): Promise<Answers> {
    return this.#breaker.fire(() => this.#pdp.decide({ calculationType, headers, messages, validityOf }));
  }
}

/**
 * Whether an error means that the PDP is down for every caller: it cannot be reached, does not answer in time, or
 * answers with a 5xx status. A PDP that refuses a caller or a question is up.
 */
function isOutage(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const { code, cause } = error;
  if (code === 'pdp-failed') return cause instanceof ErrorStatus && cause.status >= 500;
  return code === 'pdp-unreachable' || code === 'pdp-timeout';
}
