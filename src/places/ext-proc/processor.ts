import { ServiceError } from '../../errors.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import { admit, type AdmissionPorts } from './admit.ts';
import { HttpExchange } from './http-exchange.ts';
import { statusOf } from '../listener/index.ts';
import type { ProcessStream } from './listener.ts';
import { ExchangeNote, type ExchangeReport } from './note.ts';
import { serveStream, type Outlet } from './stream.ts';

export interface ProcessorOptions extends AdmissionPorts {
  /** How long the body of an answer may take to arrive, in milliseconds. */
  readonly bodyTimeout: number;
  readonly log: Logger;
  /** Called at the end of each exchange. */
  readonly observe: (report: ExchangeReport) => void;
}

/** Most of them wait for upstream and take up little; this many are more than any Envoy opens. */
const MAX_STREAMS = 20_000;

/** Serves the streams of Envoys, one for each HTTP exchange. */
export class Processor {
  readonly #options: ProcessorOptions;
  readonly #open = new Set<Promise<void>>();

  constructor(options: ProcessorOptions) {
    this.#options = options;
  }

  /** How many exchanges are in progress. */
  get underWay(): number {
    return this.#open.size;
  }

  take(stream: ProcessStream): void {
    const served = this.#serve(stream).finally(() => this.#open.delete(served));
    this.#open.add(served);
  }

  /** Resolves when no exchange is in progress. */
  async idle(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- others may begin meanwhile
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  async #serve(stream: ProcessStream): Promise<void> {
    const note = new ExchangeNote(this.#options.log);
    const exchanges: HttpExchange[] = [];
    await serveStream(stream, (outlet) => {
      const exchange = this.#exchange(outlet, note);
      exchanges.push(exchange);
      return exchange;
    });
    for (const exchange of exchanges) {
      exchange.close();
      this.#report(note, exchange);
    }
  }

  #exchange(outlet: Outlet, note: ExchangeNote): HttpExchange {
    return new HttpExchange(outlet, {
      requestId: () => note.requestId,
      bodyTimeout: this.#options.bodyTimeout,
      admit: (head) => {
        if (this.#open.size > MAX_STREAMS)
          throw new ServiceError('overloaded', 'The service has too many exchanges in progress.');
        return admit(head, note, outlet.signal, this.#options);
      },
    });
  }

  #report(note: ExchangeNote, exchange: HttpExchange): void {
    const { outcome, refusal, upstreamStatus, isBrokenOff, isUnheeded } = exchange;
    const sent = refusal === undefined ? upstreamStatus : statusOf(refusal.code);
    const status = outcome === 'gone' || isBrokenOff ? undefined : sent;
    const report = note.end({ outcome, status, refusal });
    this.#options.observe(report);
    logExchange(report, note, refusal);
    if (isUnheeded)
      note.log.error('Envoy sent an answer unmasked: its filter has observability_mode; turn that off', {
        route: report.route,
      });
  }
}

function logExchange(
  { requestBytes, responseBytes, counts, milliseconds, ...report }: ExchangeReport,
  { log, trace }: ExchangeNote,
  refusal: ServiceError | undefined,
): void {
  const { traceId } = trace;
  const ms = Math.round(milliseconds * 10) / 10;
  const { message: detail, cause } = refusal ?? {};
  const level = refusal !== undefined && statusOf(refusal.code) >= 500 ? 'warn' : 'info';
  log[level]('Exchange', { ...report, ms, requestBytes, responseBytes, ...counts, traceId, detail, cause });
}
