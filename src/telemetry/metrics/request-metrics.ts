import { Counter, Histogram, type Registry } from 'prom-client';
import type { ErrorCode } from '../../errors.ts';
import type { EnforcementCounts, RequestOutcome } from './request-outcome.ts';
import { metricName } from './names.ts';

/** From a health probe to the longest that a PDP may take. Seconds. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const ENFORCE = '/enforce';
/** The status of a request whose caller had gone, or was cut off, before the answer was sent. */
const GONE = 'gone';
const UNKNOWN = 'unknown';

/** Counts requests. No label comes from a payload or identifies a user. */
export class RequestMetrics {
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #durations: Histogram<'method' | 'route'>;
  readonly #errors: Counter<'code'>;
  readonly #bytes: Counter<'direction'>;
  readonly #records: Counter;
  readonly #properties: Counter<'effect'>;
  readonly #removed: Counter;
  readonly #skips: Counter;
  readonly #unreadable: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: metricName('requests_total'),
      help: 'Requests, by method, route and status; the status is "gone" if the caller left before the answer.',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.#durations = new Histogram({
      name: metricName('request_duration_seconds'),
      help: 'Time from the header of a request to the end of its answer.',
      labelNames: ['method', 'route'],
      buckets: BUCKETS,
      registers,
    });
    this.#errors = new Counter({
      name: metricName('errors_total'),
      help: 'Requests answered with an error, by its code.',
      labelNames: ['code'],
      registers,
    });
    this.#bytes = new Counter({
      name: metricName('payload_bytes_total'),
      help: 'Bytes of payloads to enforce ("in", inflated), and of the answers that were enforced ("out").',
      labelNames: ['direction'],
      registers,
    });
    this.#records = new Counter({
      name: metricName('records_total'),
      help: 'Records met in payloads.',
      registers,
    });
    this.#properties = new Counter({
      name: metricName('properties_changed_total'),
      help: 'Properties that were masked, set (null or empty before), created (absent before) or removed.',
      labelNames: ['effect'],
      registers,
    });
    this.#removed = new Counter({
      name: metricName('records_removed_total'),
      help: 'Records that a filter removed.',
      registers,
    });
    this.#skips = new Counter({
      name: metricName('dry_run_skips_total'),
      help: 'Records to which policies in dry run would have been applied, once a policy.',
      registers,
    });
    this.#unreadable = new Counter({
      name: metricName('unreadable_values_total'),
      help: 'Values that conditions compared and that do not read as the type of the condition: they never match.',
      registers,
    });
  }

  observe(outcome: RequestOutcome): void {
    this.#observeRequest(outcome);
    if (outcome.route === ENFORCE) this.#countBytes(outcome);
  }

  /** An exchange through the reverse proxy, where `requestBytes` are those of the application's payload. */
  observeProxied(outcome: RequestOutcome): void {
    this.#observeRequest(outcome);
    this.#countBytes(outcome);
  }

  /** An exchange that is counted elsewhere: its error, its payload and what was changed in it. */
  observePart({
    error,
    ...payload
  }: Pick<RequestOutcome, 'requestBytes' | 'responseBytes' | 'counts' | 'error'>): void {
    if (error !== undefined) this.#errors.inc({ code: error });
    this.#countBytes(payload);
    this.#countChanges(payload.counts);
  }

  #observeRequest({ method, route, status, milliseconds, error, counts }: RequestOutcome): void {
    this.#requests.inc({ method, route, status: String(status ?? GONE) });
    this.#durations.observe({ method, route }, milliseconds / 1000);
    if (error !== undefined) this.#errors.inc({ code: error });
    this.#countChanges(counts);
  }

  /** A message that never became a request. */
  observeMalformed(code: ErrorCode, status: number): void {
    this.#requests.inc({ method: UNKNOWN, route: UNKNOWN, status: String(status) });
    this.#errors.inc({ code });
  }

  #countBytes({
    requestBytes,
    responseBytes,
    counts,
  }: Pick<RequestOutcome, 'requestBytes' | 'responseBytes' | 'counts'>): void {
    this.#bytes.inc({ direction: 'in' }, requestBytes ?? 0);
    if (counts !== undefined) this.#bytes.inc({ direction: 'out' }, responseBytes);
  }

  #countChanges(counts: EnforcementCounts | undefined): void {
    if (counts === undefined) return;
    const { records, masked, set, created, removedProperties, removed, skipped, unreadable } = counts;
    this.#records.inc(records);
    this.#properties.inc({ effect: 'masked' }, masked);
    this.#properties.inc({ effect: 'set' }, set);
    this.#properties.inc({ effect: 'created' }, created);
    this.#properties.inc({ effect: 'removed' }, removedProperties);
    this.#removed.inc(removed);
    this.#skips.inc(skipped);
    this.#unreadable.inc(unreadable);
  }
}
