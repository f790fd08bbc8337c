import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { EnforcementPorts, HeaderFields } from '../../enforcement/index.ts';
import type { Callers } from '../../identity/index.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import type { Tracing } from '../../telemetry/traces/index.ts';
import { BodyByTurns, endToEnd, type InFlight, type Lifecycle } from '../listener/index.ts';
import type { RouteMatch, Routes } from '../routes/index.ts';
import { writeHead } from './answer.ts';
import type { ProxyOutcome } from '../../telemetry/metrics/index.ts';
import type { ProxyExchange } from './exchange.ts';
import { PassBody } from './pass-body.ts';
import { forwardedFields, readableFields, type ForwardingOptions, type RequestHead } from './request-head.ts';
import type { AnswerFlow, AnswerSink, Upstream, UpstreamHead, UpstreamRequest } from './upstream.ts';

/** What the proxy uses, the same for all requests. */
export interface ProxyOptions extends EnforcementPorts, ForwardingOptions {
  readonly upstream: Upstream;
  readonly routes: Routes;
  /** Verifies tokens; undefined if no route needs claims. */
  readonly callers: Callers | undefined;
  /** The largest body and the largest record, in bytes. */
  readonly maxBody: number;
  /** The largest of them after enforcement, in bytes. */
  readonly maxAnswer: number;
  /** Whether answers that are enforced as a whole say how much was changed. */
  readonly report: boolean;
  /** How long the body of a request may take to arrive, in milliseconds. */
  readonly bodyTimeout: number;
  /** How long a client may take to receive an answer, in milliseconds. */
  readonly answerTimeout: number;
  readonly inFlight: InFlight;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
  readonly tracing: Tracing;
  /** Learns of each exchange that is over. */
  readonly observe: (outcome: ProxyOutcome) => void;
}

/** A request on its way to the application, and its answer on its way back. */
export interface Transit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: RequestHead;
  /** The header fields that the client may set. */
  readonly fields: HeaderFields;
  readonly match: RouteMatch;
  readonly exchange: ProxyExchange;
  readonly options: ProxyOptions;
}

/** What the application is sent. @param isReadable whether its answer has to be one that can be read */
export function upstreamRequest(transit: Transit, isReadable: boolean): UpstreamRequest {
  const { request, head, fields, match, exchange, options } = transit;
  const { method, target } = head;
  const forwarded = isReadable
    ? readableFields(request, fields, options, match.methods)
    : forwardedFields(request, fields, options);
  return {
    method,
    target,
    fields: exchange.trace.carry(forwarded),
    body: bodyOf(request, head, exchange),
    cancellation: exchange,
  };
}

function bodyOf(
  request: IncomingMessage,
  { hasBody, isChunked }: RequestHead,
  exchange: ProxyExchange,
): Readable | null {
  if (!hasBody) return null;
  return isChunked ? (exchange.sentOn = new BodyByTurns(request)) : request;
}

/** Sends an interim answer on, to clients that know such answers. `100 Continue` is between neighbours. */
export function sendInterim(
  { response, head: { version } }: Transit,
  { status, fields }: UpstreamHead,
): void {
  const isKnown = version !== '1.0' && status > 101 && 'writeInformation' in response;
  if (isKnown && !response.headersSent) response.writeInformation(status, endToEnd(fields).flat());
}

/**
 * Sends an answer on whose body passes.
 *
 * @param done is called once the body is sent, with the error if it broke off
 */
export function passAnswer(
  { response, exchange, options }: Transit,
  head: UpstreamHead,
  flow: AnswerFlow,
  done: (error?: Error) => void,
): AnswerSink {
  const body = new PassBody(response, flow, options.answerTimeout, (error) => {
    exchange.responseBytes = body.size;
    done(error);
  });
  writeHead(response, head, head.fields);
  return body;
}
