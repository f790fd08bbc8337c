import type { RequestHandler } from 'express';
import { exchangeOf, forwardedHeaders } from '../listener/index.ts';
import type { Tracing } from '../../telemetry/traces/index.ts';

/** Makes a request a part of its trace, until it is over. */
export function traceRequest(tracing: Tracing): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const { method } = request;
    const headers = forwardedHeaders(request.rawHeaders);
    const trace = tracing.begin({ method, route: exchange.route ?? 'unknown', headers });
    exchange.trace = trace;
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : undefined;
      trace.end({ status, error: exchange.error?.code });
    });
    next();
  };
}
