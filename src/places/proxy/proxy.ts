import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ServiceError } from '../../errors.ts';
import { answerProblem, serviceErrorFrom, tooSlow } from '../listener/index.ts';
import type { RouteMatch } from '../routes/index.ts';
import { breakOff } from './answer.ts';
import { enforceExchange } from './enforce-exchange.ts';
import { ProxyExchange } from './exchange.ts';
import { passExchange } from './pass-exchange.ts';
import { trustedFields, isLoop, readHead, type RequestHead } from './request-head.ts';
import type { ProxyOptions } from './transit.ts';

/** Handles requests for the application (docs/proxy.md). */
export function proxyHandler(options: ProxyOptions): RequestListener {
  return (request, response) => void handle(request, response, options);
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
): Promise<void> {
  const exchange = openExchange(request, response, options);
  try {
    await serve(request, response, exchange, options);
  } catch (error) {
    fail(request, response, exchange, serviceErrorFrom(error));
  }
}

/** One request in is one request out, or none. */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: ProxyExchange,
  options: ProxyOptions,
): Promise<void> {
  const { head, match } = admit(request, exchange, options);
  if (head.hasBody) boundArrival(request, response, exchange, options);
  const transit = {
    request,
    response,
    head,
    fields: trustedFields(head, options),
    match,
    exchange,
    options,
  };
  switch (match.route.treatment) {
    case 'refuse':
      throw new ServiceError('route-refused', 'Requests for this path are refused.');
    case 'pass':
      return passExchange(transit);
    case 'enforce':
      return enforceExchange(transit);
  }
}

/**
 * Finds the route of a request.
 *
 * @throws ServiceError if the request is not clear, loops, or comes while the service shuts down
 */
export function admit(
  request: IncomingMessage,
  exchange: ProxyExchange,
  { lifecycle, pseudonym, routes, tracing }: ProxyOptions,
): { readonly head: RequestHead; readonly match: RouteMatch } {
  lifecycle.refuseWhileDraining();
  const head = readHead(request);
  if (isLoop(head.fields, pseudonym))
    throw new ServiceError('request-loop', 'The request has come through this proxy before.');
  const match = routes.find(head.method, head.target, head.fields);
  exchange.route = match.route.name;
  exchange.trace = tracing.begin({
    method: head.method,
    route: match.route.name,
    headers: head.fields,
  });
  return { head, match };
}

function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { log, lifecycle, observe }: ProxyOptions,
): ProxyExchange {
  const exchange = new ProxyExchange(request, log);
  lifecycle.follow(response);
  response.on('close', () => {
    if (!response.writableFinished) exchange.abort();
    exchange.slot?.leave();
    const status = response.writableFinished ? response.statusCode : undefined;
    exchange.end(request.method ?? '', status, observe);
  });
  return exchange;
}

/** Gives up a request whose body does not arrive in time: the application may wait for the rest of it for as long. */
function boundArrival(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: ProxyExchange,
  { bodyTimeout }: ProxyOptions,
): void {
  const late = setTimeout(() => {
    if (!request.complete) fail(request, response, exchange, tooSlow());
  }, bodyTimeout);
  response.once('close', () => clearTimeout(late));
}

/** Answers an error, or breaks the answer off if it has begun. Nothing of the application's answer is in either. */
function fail(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: ProxyExchange,
  error: ServiceError,
): void {
  if (exchange.isAborted) return;
  exchange.error = error;
  exchange.abort();
  if (response.headersSent) return breakOff(response);
  response.setHeader('X-Request-Id', exchange.requestId);
  const { requestId } = exchange;
  answerProblem(request, response, error, { requestId, detail: error.message });
  exchange.responseBytes = Number(response.getHeader('content-length') ?? 0);
}
