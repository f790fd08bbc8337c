import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { ErrorCode } from '../../errors.ts';
import { VERSION } from '../../version.ts';
import { ExchangeMetrics, type ExchangeReport } from './exchange-metrics.ts';
import { metricName } from './names.ts';
import { ProxyMetrics } from './proxy-metrics.ts';
import type { ProxyOutcome } from './proxy-outcome.ts';
import { RequestMetrics } from './request-metrics.ts';
import type { RequestOutcome } from './request-outcome.ts';

/** What is under way, and its bounds. */
interface Load {
  readonly requests: number;
  readonly streams: number;
  readonly bytes: number;
  readonly limits: { readonly requests: number; readonly streams: number; readonly bytes: number };
}

const BREAKER_STATES = ['closed', 'half-open', 'open'] as const;
type BreakerState = (typeof BREAKER_STATES)[number];

const RETRY_REASONS = ['refused', 'broken'] as const;
type RetryReason = (typeof RETRY_REASONS)[number];

/** Gets each version of the policy file. */
export interface PolicyMetrics {
  /** @param hash of the version that is in use from now on */
  loaded(hash: string): void;
  failed(): void;
}

/** All metrics of one process (`docs/operations.md` has the list). */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new RequestMetrics(this.registry);
  readonly #exchanges = new ExchangeMetrics(this.registry);
  readonly #proxied = new ProxyMetrics(this.registry);

  constructor(load: Load) {
    collectDefaultMetrics({ register: this.registry });
    this.#gauge('in_flight_requests', 'Enforce requests in progress.', () => load.requests);
    this.#gauge('in_flight_streams', 'Streams of records in progress.', () => load.streams);
    this.#gauge('in_flight_bytes', 'Bytes of the bodies of both.', () => load.bytes);
    this.#gauge(
      'max_in_flight_requests',
      'The bound of the requests in progress.',
      () => load.limits.requests,
    );
    this.#gauge('max_in_flight_streams', 'The bound of the streams in progress.', () => load.limits.streams);
    this.#gauge(
      'max_in_flight_bytes',
      'The bound of the bytes of the bodies of both.',
      () => load.limits.bytes,
    );
    new Gauge({
      name: metricName('build_info'),
      help: 'Always 1; the label has the version.',
      labelNames: ['version'],
      aggregator: 'first',
      registers: [this.registry],
    }).set({ version: VERSION }, 1);
  }

  observe(outcome: RequestOutcome): void {
    this.#requests.observe(outcome);
  }

  /** An exchange that an Envoy sent. */
  observeExchange(report: ExchangeReport): void {
    this.#exchanges.observe(report);
    this.#requests.observePart(report);
  }

  /** An exchange through the reverse proxy. */
  observeProxied(outcome: ProxyOutcome): void {
    this.#requests.observeProxied(outcome);
    this.#proxied.observe(outcome);
  }

  observeMalformed(code: ErrorCode, status: number): void {
    this.#requests.observeMalformed(code, status);
  }

  /**
   * Shows the state of the circuit breaker in front of the PDP.
   *
   * @returns call it with each new state
   */
  observeBreaker(): (state: BreakerState) => void {
    const gauge = new Gauge({
      name: metricName('pdp_breaker_state'),
      help: 'Which state the circuit breaker in front of the PDP is in: 1 for that, 0 for the others.',
      labelNames: ['state'],
      registers: [this.registry],
    });
    const show = (now: BreakerState): void => {
      for (const state of BREAKER_STATES) gauge.set({ state }, Number(state === now));
    };
    show('closed');
    return show;
  }

  /**
   * Counts what the PDP was asked again.
   *
   * @returns call it before each retry
   */
  observeRetries(): (reason: RetryReason) => void {
    const retries = new Counter({
      name: metricName('pdp_retries_total'),
      help: 'Messages sent to the PDP again because its connection was refused, or broke before an answer began.',
      labelNames: ['reason'],
      registers: [this.registry],
    });
    for (const reason of RETRY_REASONS) retries.inc({ reason }, 0);
    return (reason) => retries.inc({ reason });
  }

  /** Shows which version of the policy file is in use. */
  observePolicies(): PolicyMetrics {
    const registers = [this.registry];
    const loadedAt = new Gauge({
      name: metricName('policies_loaded_timestamp'),
      help: 'When the policies in use were loaded, in seconds since 1970; the label has the hash of the policy file.',
      labelNames: ['hash'],
      aggregator: 'max',
      registers,
    });
    const failures = new Counter({
      name: metricName('policies_load_failures_total'),
      help: 'Changed policy files that were rejected because they are not valid.',
      registers,
    });
    return {
      loaded(hash) {
        loadedAt.reset();
        loadedAt.set({ hash }, Date.now() / 1000);
      },
      failed: () => failures.inc(),
    };
  }

  #gauge(name: string, help: string, value: () => number): void {
    const gauge: Gauge = new Gauge({
      name: metricName(name),
      help,
      registers: [this.registry],
      collect: () => gauge.set(value()),
    });
  }
}
