import type { Request, RequestHandler, Response } from 'express';
import { release, type JsonDocument, type JsonPart } from '../../core/index.ts';
import {
  enforce,
  namesUser,
  reserveFor,
  resultField,
  type EnforcementPorts,
  type HeaderFields,
  type Intent,
  type Ports,
} from '../../enforcement/index.ts';
import { authorizationIn, type Callers } from '../../identity/index.ts';
import {
  bodyOf,
  exchangeOf,
  fieldsOf,
  forwardedHeaders,
  jsonBody,
  lengthOf,
  sendBody,
  slotOf,
  type BodyOptions,
  type Lifecycle,
} from '../listener/index.ts';
import type { Tracing } from '../../telemetry/traces/index.ts';
import { readRequest, type EnforceRequest } from './request.ts';

const REQUEST_ID = 'X-Request-Id';

export interface EnforceRouteOptions extends EnforcementPorts {
  readonly body: BodyOptions;
  /** The longest answer, in bytes. */
  readonly maxAnswer: number;
  /** Whether answers say how much was changed. */
  readonly report: boolean;
  readonly lifecycle: Lifecycle;
  readonly tracing: Tracing;
  /** Verifies the token that every request must have; undefined if none is required. */
  readonly callers: Callers | undefined;
  /** Verifies the token of a request that names no user otherwise; undefined if the PDP's protocol does not need one. */
  readonly subjects: Callers | undefined;
}

/** `POST /enforce` (docs/enforcement.md). */
export function enforceRoute(options: EnforceRouteOptions): readonly RequestHandler[] {
  return enforcementRoute(options, enforceHandler(options));
}

/** What every route that enforces does before its own handler. */
export function enforcementRoute(
  options: EnforceRouteOptions,
  handler: RequestHandler,
): readonly RequestHandler[] {
  return [
    traceRequest(options.tracing),
    refuseWhileDraining(options.lifecycle),
    ...(options.callers === undefined ? [] : [requireToken(options.callers)]),
    ...jsonBody(options.body),
    handler,
  ];
}

const claimsOf = new WeakMap<Request, JsonDocument>();

/** Refuses requests without a valid token (`identity.required`). */
function requireToken(callers: Callers): RequestHandler {
  return async (request, _response, next) => {
    claimsOf.set(request, await callers.claims(fieldsOf(request.rawHeaders)));
    next();
  };
}

/**
 * The claims of the caller's token, if the request does not name the user.
 *
 * @throws ServiceError `token-refused` if the token is not accepted, `identity-unavailable` if the keys of the identity
 *   provider cannot be fetched
 */
async function subjectClaims(
  request: Request,
  vendor: Intent['vendor'],
  subjects: Callers | undefined,
): Promise<JsonDocument | undefined> {
  if (subjects === undefined || namesUser(vendor)) return undefined;
  const headers = fieldsOf(request.rawHeaders);
  if (typeof authorizationIn(headers) !== 'object') return undefined;
  return subjects.claims(headers);
}

function enforceHandler(options: EnforceRouteOptions): RequestHandler {
  return async (request, response) => {
    const { payload, intent, ports } = await readExchange(request, response, options);
    const enforced = await enforce(payload, intent, ports);
    // Under load, the bodies of answered requests would take more memory than those that are in progress.
    release(payload.doc, enforced.payload);
    exchangeOf(response).counts = enforced.counts;
    if (options.report) response.set(Object.fromEntries([resultField(enforced.counts)]));
    sendPayload(response, enforced.payload);
  };
}

/** What a request asks `enforce` for. */
interface Asked {
  readonly payload: JsonPart;
  readonly intent: Intent;
  readonly ports: Ports;
}

/** @throws ServiceError if the body is not an enforce request */
export async function readExchange(
  request: Request,
  response: Response,
  { maxAnswer, subjects, ...shared }: EnforceRouteOptions,
): Promise<Asked> {
  const { log, signal, requestId, trace, forwarded } = exchangeOf(response);
  const headers = forwarded ?? forwardedHeaders(request.rawHeaders);
  const slot = slotOf(request);
  const room = { limit: maxAnswer, reserve: (bytes: number) => slot.hold(bytes) };
  const ports = { ...shared, log, trace, signal, room };
  const { intent, payload } = await readInTurn(bodyOf(request), ports);
  const claims = claimsOf.get(request) ?? (await subjectClaims(request, intent.vendor, subjects));
  const asked = { ...intent, headers: trace.carry(withRequestId(headers, requestId)), claims };
  return { payload, intent: asked, ports };
}

function readInTurn(body: Buffer, { scheduler, settings, signal, room }: Ports): Promise<EnforceRequest> {
  return scheduler.run(body.length, () => {
    signal?.throwIfAborted();
    const read = readRequest(body, settings.maxDepth);
    reserveFor(read.payload.doc, room);
    return read;
  });
}

/** @param payload in chunks: JSON in UTF-8 */
export function sendPayload(response: Response, payload: readonly Buffer[]): void {
  const length = lengthOf(payload);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', length);
  response.setHeader('Cache-Control', 'no-store');
  sendBody(response, payload, length);
}

/** Adds the request's id to what is forwarded to the PDP, if the caller sent none. */
function withRequestId(headers: HeaderFields, requestId: string): HeaderFields {
  const isThere = headers.some(([name]) => name.toLowerCase() === REQUEST_ID.toLowerCase());
  return isThere ? headers : [...headers, [REQUEST_ID, requestId]];
}

function refuseWhileDraining(lifecycle: Lifecycle): RequestHandler {
  return (_request, _response, next) => {
    lifecycle.refuseWhileDraining();
    next();
  };
}

/** Makes a request a part of its trace, until it is over. */
function traceRequest(tracing: Tracing): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const { method } = request;
    const headers = forwardedHeaders(request.rawHeaders);
    const trace = tracing.begin({ method, route: exchange.route ?? 'unknown', headers });
    exchange.forwarded = headers;
    exchange.trace = trace;
    response.on('close', () => {
      const status = response.writableFinished ? response.statusCode : undefined;
      trace.end({ status, error: exchange.error?.code });
    });
    next();
  };
}
