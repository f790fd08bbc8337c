import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import _ from 'lodash';
import { buildConnector, Pool, type Dispatcher } from 'undici';
import type { HeaderFields } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import type { AnswerHead } from '../answer/index.ts';
import { listedIn, rawOf } from '../listener/index.ts';

/** How long connecting may take at most, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/** How many interim answers one request may have. Each is sent on, and stays in memory until the client reads it. */
const MOST_INTERIM = 100;

/** One request to the application. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly fields: HeaderFields;
  readonly body: Readable | null;
  readonly cancellation: Cancellation;
}

/** Says when an answer is no longer wanted. An `AbortSignal` takes several times as long, which a small answer notices. */
export interface Cancellation {
  readonly isAborted: boolean;
  /** @param stop is called when that comes; undefined once it need not be. The one before is forgotten. */
  onAbort(stop: (() => void) | undefined): void;
}

/** The beginning of an answer. */
export interface UpstreamHead extends AnswerHead {
  readonly reason: string;
}

/** Takes an answer as it arrives. */
export interface AnswerSink {
  data(chunk: Buffer): void;
  end(trailers: HeaderFields): void;
  /** The answer breaks off. */
  fail(error: ServiceError): void;
}

/** Steers an answer while it arrives. */
export interface AnswerFlow {
  pause(): void;
  resume(): void;
  /** Ends the time that the body as a whole may take; from now on, only pauses are bounded. */
  unbound(): void;
  /** Closes the connection, so that nothing more arrives. */
  abort(): void;
}

export interface AnswerListener {
  /** An interim answer (1xx). */
  inform(head: UpstreamHead): void;
  /** The final answer begins. @returns who takes its body */
  begin(head: UpstreamHead, flow: AnswerFlow): AnswerSink;
  /** No answer begins. */
  fail(error: ServiceError): void;
}

/** The application. */
export class Upstream {
  readonly #pool: Pool;
  readonly #timeout: number;
  /** Without it, the library takes `Host` of each request, and opens a connection for each. */
  readonly #servername: string;

  /** @param timeout in milliseconds, as `proxy.timeout` has it */
  constructor(origin: string, timeout: number) {
    const url = new URL(origin);
    this.#timeout = timeout;
    this.#servername = url.hostname;
    this.#pool = new Pool(url.origin, {
      allowH2: false,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: timeout,
      connect: connectorWithin(Math.min(timeout, CONNECT_TIMEOUT), serverNameOf(url)),
    });
  }

  /** Sends a request once. It is never sent again: the application may have acted on it. */
  send(request: UpstreamRequest, listener: AnswerListener): void {
    const { method, target, fields, body } = request;
    const handler = new AnswerHandler(listener, request, this.#timeout);
    const dispatched = {
      method,
      path: target,
      headers: rawOf(fields),
      body,
      servername: this.#servername,
    };
    try {
      this.#pool.dispatch(dispatched, handler);
    } catch (error) {
      handler.onResponseError(undefined, error);
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/**
 * The name that the certificate of the application must have. By itself, Node.js and undici take that of `Host`, which is the client's
 * to choose. TLS has no names that are addresses: those are verified as what they are (RFC 6066).
 *
 * @returns empty for an address
 */
export function serverNameOf({ hostname }: URL): string {
  return isIP(hostname.replace(/^\[(.*)\]$/u, '$1')) > 0 ? '' : hostname;
}

/**
 * Connects to the application. The library takes a reset for the end of an answer without a length, which it is not: it knows a reset
 * by this code of the error.
 *
 * @param timeout in milliseconds
 */
function connectorWithin(timeout: number, servername: string): buildConnector.connector {
  // Explicit: NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment must not switch off that the application is verified.
  const connect = buildConnector({ timeout, allowH2: false, rejectUnauthorized: true });
  return (options, done) =>
    connect({ ...options, servername }, (...result) => {
      const [, socket] = result;
      socket?.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNRESET') error.code = 'ERR_CONNECTION_RESET';
      });
      done(...result);
    });
}

/** Ends an exchange from this side. */
class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

class AnswerHandler implements Dispatcher.DispatchHandler, AnswerFlow {
  readonly #listener: AnswerListener;
  readonly #body: Readable | null;
  readonly #cancellation: Cancellation;
  readonly #timeout: number;
  #deadline: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #sink: AnswerSink | undefined;
  #error: Error | undefined;
  #interim = 0;

  constructor(listener: AnswerListener, { body, cancellation }: UpstreamRequest, timeout: number) {
    this.#listener = listener;
    this.#body = body;
    this.#cancellation = cancellation;
    this.#timeout = timeout;
    this.#deadline = setTimeout(() => this.#expire(), timeout);
    if (cancellation.isAborted) this.#error = new Abandoned();
    cancellation.onAbort(() => this.abort());
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  unbound(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }

  abort(): void {
    this.#abort(new Abandoned());
  }

  /** The application has taken a part of the request: its time begins again. */
  onBodySent(): void {
    this.#deadline?.refresh();
  }

  onRequestSent(): void {
    this.#deadline?.refresh();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#error !== undefined) controller.abort(this.#error);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    reason = '',
  ): void {
    const head = { status, reason, fields: fieldsFrom(controller.rawHeaders) };
    if (status < 200) return this.#inform(head);
    if (hasOtherTransferCoding(head.fields))
      return this.#abort(failed('The answer of the application has a transfer coding other than chunked'));
    this.#sink = this.#listener.begin(head, this);
  }

  #inform(head: UpstreamHead): void {
    this.#interim += 1;
    if (this.#interim <= MOST_INTERIM) this.#listener.inform(head);
    else this.#abort(failed(`The application sent more than ${MOST_INTERIM} interim answers`));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#sink?.data(chunk);
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.#finish();
    this.#sink?.end(fieldsFrom(controller.rawTrailers));
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.#finish();
    const problem = upstreamProblem(this.#error ?? error, this.#timeout, this.#sink !== undefined);
    if (this.#sink) this.#sink.fail(problem);
    else this.#listener.fail(problem);
  }

  #expire(): void {
    if (this.#waitsForClient()) this.#deadline?.refresh();
    else this.#abort(late(this.#timeout));
  }

  /** Whether the client has to send more of the request. How long that may take is bounded where the request arrives. */
  #waitsForClient(): boolean {
    return this.#body?.readableFlowing === true && !this.#body.readableEnded && !this.#body.destroyed;
  }

  #abort(error: Error): void {
    this.#error ??= error;
    this.#controller?.abort(this.#error);
  }

  #finish(): void {
    this.unbound();
    this.#cancellation.onAbort(undefined);
  }
}

function fieldsFrom(raw: Dispatcher.DispatchController['rawHeaders']): HeaderFields {
  const fields: [string, string][] = [];
  if (!Array.isArray(raw)) return fields;
  for (let at = 0; at < raw.length; at += 2) fields.push([textOf(raw[at]), textOf(raw[at + 1])]);
  return fields;
}

/** Nothing would undo it, nor say to the client that it is there. */
function hasOtherTransferCoding(fields: HeaderFields): boolean {
  const codings = listedIn(fields, 'transfer-encoding');
  return codings.length > 1 || (codings[0] ?? 'chunked') !== 'chunked';
}

function textOf(raw: string | Buffer = ''): string {
  return typeof raw === 'string' ? raw : raw.toString('latin1');
}

/** @param timeout in milliseconds */
export function late(timeout: number): ServiceError {
  return new ServiceError('upstream-timeout', `The application did not answer within ${timeout} ms.`);
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What OpenSSL and Node.js find wrong with a certificate. What the other side finds wrong is an alert, `ERR_SSL_…`. */
const OF_CERTIFICATE =
  /^(?!ERR_SSL_)(?:.*CERT|.*CRL|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$)/u;

/**
 * The problem with an answer that did not arrive. The messages of the library may quote what they stumble over; only codes are taken from them.
 *
 * @param timeout how long the application could take, in milliseconds
 * @param hasBegun whether a part of the answer has arrived
 */
export function upstreamProblem(error: unknown, timeout: number, hasBegun: boolean): ServiceError {
  if (error instanceof ServiceError) return error;
  const found: unknown = _.get(error, 'code');
  const code = typeof found === 'string' ? found : 'unknown';
  if (code === 'UND_ERR_BODY_TIMEOUT') return late(timeout);
  if (UNREACHABLE.has(code))
    return new ServiceError('upstream-unreachable', `The application cannot be reached (${code}).`);
  if (OF_CERTIFICATE.test(code))
    return new ServiceError(
      'upstream-unreachable',
      `The certificate of the application is not valid (${code}).`,
    );
  if (hasBegun) return failed(`The answer of the application broke off (${code})`);
  if (_.get(error, 'name') === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return failed('The answer of the application is not valid HTTP');
  return failed(`The application did not answer (${code})`);
}

function failed(what: string): ServiceError {
  return new ServiceError('upstream-failed', `${what}.`);
}
