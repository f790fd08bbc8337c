import { performance } from 'node:perf_hooks';
import type { Request, RequestHandler, Response } from 'express';
import type { Counts } from '../enforce/recorder.ts';
import type { ErrorCode } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import { requestIdFrom } from './request-id.ts';

/** What the service notes of one request while it handles it. */
export interface Exchange {
  readonly requestId: string;
  /** Carries the request's id in every line. */
  readonly log: Logger;
  /** Aborted when the caller has gone before the answer was sent. */
  readonly signal: AbortSignal;
  /** The path of the route that handles it; undefined where there is none. */
  route?: string;
  /** Bytes of the body as the service read it, behind any decompression. */
  requestBytes?: number;
  counts?: Counts;
  error?: { readonly code: ErrorCode; readonly detail: string; readonly cause?: unknown };
}

const exchanges = new WeakMap<Response, Exchange>();

/** The exchange that a response belongs to. */
export function exchangeOf(response: Response): Exchange {
  const exchange = exchanges.get(response);
  if (!exchange) throw new Error('the exchange middleware has to come first');
  return exchange;
}

/** Gives each request its id, its log and its signal, and logs one line when it is over. */
export function openExchange(log: Logger): RequestHandler {
  return (request, response, next) => {
    const requestId = requestIdFrom(request.get('x-request-id'));
    const gone = new AbortController();
    const exchange: Exchange = { requestId, log: log.child({ requestId }), signal: gone.signal };
    exchanges.set(response, exchange);
    response.set('X-Request-Id', requestId);
    const start = performance.now();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
      logExchange(request, response, exchange, performance.now() - start);
    });
    next();
  };
}

function logExchange(request: Request, response: Response, exchange: Exchange, milliseconds: number): void {
  const { route, requestBytes, counts, error } = exchange;
  const isHealth = route?.startsWith('/health/') ?? false;
  const level = response.statusCode >= 500 ? 'warn' : isHealth ? 'debug' : 'info';
  exchange.log[level]('Request', {
    method: request.method,
    path: route ?? 'unknown',
    status: response.writableFinished ? response.statusCode : undefined,
    callerGone: response.writableFinished ? undefined : true,
    ms: Math.round(milliseconds * 10) / 10,
    requestBytes,
    responseBytes: Number(response.get('content-length') ?? 0),
    ...counts,
    error: error?.code,
    detail: error?.detail,
    cause: error?.cause,
  });
}
