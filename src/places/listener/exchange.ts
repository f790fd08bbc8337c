import { performance } from 'node:perf_hooks';
import type { Request, RequestHandler, Response } from 'express';
import type { Counts, HeaderFields } from '../../enforcement/index.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import { NO_TRACE, type Trace } from '../../telemetry/traces/index.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { RequestOutcome } from '../../telemetry/metrics/index.ts';
import { randomUUID } from 'node:crypto';

/** What the service notes of one request while it handles it. */
export interface Exchange {
  readonly requestId: string;
  /** Carries the request's id in every line. */
  readonly log: Logger;
  /** Aborted when the caller has gone before the answer was sent. */
  readonly signal: AbortSignal;
  /** The header fields that may go on to the PDP; undefined until a route needs them. */
  forwarded?: HeaderFields;
  /** The path of the route that handles it; undefined if no route does. */
  route?: string;
  /** Bytes of the body as the service read it, after any decompression. */
  requestBytes?: number;
  counts?: Counts;
  /** None, until a route begins one. */
  trace: Trace;
  error?: { readonly code: ErrorCode; readonly detail: string; readonly cause?: unknown };
}

const exchanges = new WeakMap<Response, Exchange>();

/** The exchange that a response belongs to. */
export function exchangeOf(response: Response): Exchange {
  const exchange = exchanges.get(response);
  if (!exchange) throw new Error('the exchange middleware has to come first');
  return exchange;
}

interface ExchangeOptions {
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
  /** Called with each exchange that is over, before it is logged. */
  readonly observe: (outcome: RequestOutcome) => void;
}

/** Gives each request its id, its log and its signal; when it is over, it is observed and logged, one line a request. */
export function openExchange({ log, lifecycle, observe }: ExchangeOptions): RequestHandler {
  return (request, response, next) => {
    const { 'x-request-id': id } = request.headers;
    const requestId = requestIdFrom(typeof id === 'string' ? id : undefined);
    const gone = new AbortController();
    const exchange: Exchange = {
      requestId,
      log: log.child({ requestId }),
      signal: gone.signal,
      trace: NO_TRACE,
    };
    exchanges.set(response, exchange);
    lifecycle.follow(response);
    response.setHeader('X-Request-Id', requestId);
    const start = performance.now();
    response.on('close', () => {
      if (!response.writableFinished) gone.abort();
      const outcome = outcomeOf(request, response, exchange, performance.now() - start);
      observe(outcome);
      logOutcome(outcome, exchange);
    });
    next();
  };
}

function outcomeOf(
  request: Request,
  response: Response,
  exchange: Exchange,
  milliseconds: number,
): RequestOutcome {
  const { route, requestBytes, counts, error } = exchange;
  return {
    method: request.method,
    route: route ?? 'unknown',
    status: response.writableFinished ? response.statusCode : undefined,
    milliseconds,
    requestBytes,
    responseBytes: Number(response.get('content-length') ?? 0),
    counts,
    error: error?.code,
  };
}

function logOutcome(outcome: RequestOutcome, { log, error, trace }: Exchange): void {
  const { method, route, status, milliseconds, requestBytes, responseBytes, counts } = outcome;
  log[levelOf(outcome)]('Request', {
    method,
    path: route,
    status,
    callerGone: status === undefined ? true : undefined,
    ms: Math.round(milliseconds * 10) / 10,
    requestBytes,
    responseBytes,
    ...counts,
    traceId: trace.traceId,
    error: error?.code,
    detail: error?.detail,
    cause: error?.cause,
  });
}

function levelOf({ route, status = 0 }: RequestOutcome): 'warn' | 'info' | 'debug' {
  if (status >= 500) return 'warn';
  return route.startsWith('/health/') || route === '/metrics' ? 'debug' : 'info';
}

/** What a request id may look like: fit for a URI reference, a header and a log line. */
const ACCEPTABLE = /^[\w.~:/+=@-]{1,128}$/u;

/** The caller's request id if it is valid, else a new one. */
export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && ACCEPTABLE.test(header) ? header : randomUUID();
}
