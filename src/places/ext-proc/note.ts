import { performance } from 'node:perf_hooks';
import type { Counts, HeaderFields } from '../../enforcement/index.ts';
import type { ErrorCode, ServiceError } from '../../errors.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import { NO_TRACE } from '../../telemetry/traces/index.ts';
import type { Trace } from '../../telemetry/traces/index.ts';
import type { RequestOutcome } from '../../telemetry/metrics/index.ts';
import { requestIdFrom, valuesOf, type AdmissionSlot } from '../listener/index.ts';
import type { RequestHead } from './admission.ts';
import type { ExchangeOutcome } from './http-exchange.ts';
import { knownMethod } from './known-method.ts';

const REQUEST_ID = 'x-request-id';

/** What was done to an answer, so far. */
interface Counted {
  readonly counts: Counts | undefined;
  /** How much of it has come in, inflated: bytes. */
  readonly received: number;
}

/** How an exchange ended. */
interface ExchangeEnd {
  readonly outcome: ExchangeOutcome;
  /** What the client got; undefined if that is not known. */
  readonly status: number | undefined;
  readonly refusal: ServiceError | undefined;
}

/** What became of an exchange. Nothing in it comes from the client, except a method that a route knows. */
export interface ExchangeReport extends Omit<RequestOutcome, 'error'> {
  readonly place: 'ext-proc';
  readonly outcome: ExchangeOutcome;
  readonly error: ErrorCode | undefined;
}

/** What is noted of one exchange while it goes on. */
export class ExchangeNote {
  readonly #start = performance.now();
  readonly #log: Logger;
  #method = 'unknown';
  #responseBytes = 0;
  #counted: Counted | undefined;
  #requestId: string | undefined;
  route = 'unknown';
  trace: Trace = NO_TRACE;
  /** Its slot among the requests in progress. */
  slot: AdmissionSlot | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  get requestId(): string {
    return (this.#requestId ??= requestIdFrom(undefined));
  }

  /** Carries the request's id in every line. */
  get log(): Logger {
    return this.#log.child({ requestId: this.requestId });
  }

  begin({ method, fields }: RequestHead): void {
    this.#method = knownMethod(method);
    this.#requestId = requestIdFrom(valuesOf(fields, REQUEST_ID)[0]);
  }

  /** Adds the request's id where the caller gave none. */
  identify(headers: HeaderFields): HeaderFields {
    return valuesOf(headers, REQUEST_ID).length > 0 ? headers : [...headers, [REQUEST_ID, this.requestId]];
  }

  /** Notes a body, or a piece of a stream of records. */
  sent(bytes: number): void {
    this.#responseBytes += bytes;
  }

  /** Notes what is enforced, whose counts are there later, or grow. */
  counts(answer: Counted): void {
    this.#counted = answer;
  }

  /** Frees its slot. */
  end({ outcome, status, refusal }: ExchangeEnd): ExchangeReport {
    this.slot?.leave();
    this.trace.end({ status, error: refusal?.code });
    return {
      place: 'ext-proc',
      outcome,
      method: this.#method,
      route: this.route,
      status,
      milliseconds: performance.now() - this.#start,
      requestBytes: this.#counted?.received,
      responseBytes: this.#responseBytes,
      counts: this.#counted?.counts,
      error: refusal?.code,
    };
  }
}
