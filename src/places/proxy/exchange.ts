import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Counts, TracedPart } from '../../enforcement/index.ts';
import type { ServiceError } from '../../errors.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import { NO_TRACE, type Trace } from '../../telemetry/traces/index.ts';
import type { ProxyOutcome } from '../../telemetry/metrics/index.ts';
import { requestIdFrom, statusOf, type AdmissionSlot, type BodyByTurns } from '../listener/index.ts';
import type { Cancellation } from './upstream.ts';

/** What the proxy notes of one request while it handles it. */
export class ProxyExchange implements Cancellation {
  readonly requestId: string;
  readonly log: Logger;
  readonly times: { -readonly [Stage in keyof ProxyOutcome['times']]: number } = {
    upstream: 0,
    pdp: 0,
    masking: 0,
  };
  #gone: AbortController | undefined;
  #isAborted = false;
  #stop: (() => void) | undefined;
  readonly #start = performance.now();
  route = 'unknown';
  trace: Trace = NO_TRACE;
  treatment: 'passed' | 'enforced' | 'streamed' = 'passed';
  counts: Counts | undefined;
  error: ServiceError | undefined;
  /** Of the application's answer, if it is enforced, inflated. */
  payloadBytes: number | undefined;
  responseBytes = 0;
  /** What is sent on of a chunked request. */
  sentOn: BodyByTurns | undefined;
  /** Its place among the exchanges whose answers are enforced; it leaves when it is over. */
  slot: AdmissionSlot | undefined;

  constructor(request: IncomingMessage, log: Logger) {
    const { 'x-request-id': id } = request.headers;
    this.requestId = requestIdFrom(typeof id === 'string' ? id : undefined);
    this.log = log.child({ requestId: this.requestId });
  }

  /** Aborted when the client has gone before it had its answer. */
  get signal(): AbortSignal {
    const gone = (this.#gone ??= new AbortController());
    if (this.#isAborted) gone.abort();
    return gone.signal;
  }

  get isAborted(): boolean {
    return this.#isAborted;
  }

  onAbort(stop: (() => void) | undefined): void {
    this.#stop = stop;
  }

  abort(): void {
    this.#isAborted = true;
    this.#gone?.abort();
    this.#stop?.();
    this.sentOn?.destroy();
  }

  /** Begins a named part of the trace, and counts its time as masking. */
  begin(name: string): TracedPart {
    const part = this.trace.begin(name);
    return {
      end: (worked) => {
        this.times.masking += worked;
        part.end();
      },
      fail: (worked) => {
        this.times.masking += worked;
        part.fail();
      },
    };
  }

  /**
   * Notes that it is over: in the log, the metrics and the trace.
   *
   * @param status of the answer that was sent; undefined if the client had gone
   */
  end(method: string, status: number | undefined, observe: (outcome: ProxyOutcome) => void): void {
    const outcome = this.#outcome(method, status);
    observe(outcome);
    logOutcome(outcome, this);
    this.trace.end({ status, error: outcome.error });
  }

  #outcome(method: string, status: number | undefined): ProxyOutcome {
    return {
      method,
      route: this.route,
      status,
      milliseconds: performance.now() - this.#start,
      requestBytes: this.payloadBytes,
      responseBytes: this.responseBytes,
      counts: this.counts,
      error: this.error?.code,
      result: this.#result(status !== undefined),
      times: this.times,
    };
  }

  #result(isSent: boolean): ProxyOutcome['result'] {
    if (this.error === undefined) return isSent ? this.treatment : 'gone';
    const { code } = this.error;
    return statusOf(code) < 500 || code === 'response-not-enforceable' ? 'refused' : 'failed';
  }
}

/** Logs an exchange that is over, one line each. */
function logOutcome(outcome: ProxyOutcome, { log, error, trace }: ProxyExchange): void {
  const { method, route, status, milliseconds, responseBytes, counts, result, times } = outcome;
  log[(status ?? 0) >= 500 || error?.code === 'response-not-enforceable' ? 'warn' : 'info']('Proxied', {
    method,
    path: route,
    status,
    result,
    callerGone: status === undefined && error === undefined ? true : undefined,
    ms: rounded(milliseconds),
    upstreamMs: rounded(times.upstream),
    pdpMs: rounded(times.pdp),
    maskingMs: rounded(times.masking),
    responseBytes,
    ...counts,
    traceId: trace.traceId,
    error: error?.code,
    detail: error?.message,
    cause: error?.cause,
  });
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
