import type { Readable } from 'node:stream';
import _ from 'lodash';
import { Pool, type Dispatcher } from 'undici';
import type { HeaderFields } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import type { AnswerHead } from '../answer/index.ts';
import { fieldsOf } from '../listener/index.ts';

/** How long connecting may take at most, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/** One request to the application. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly fields: HeaderFields;
  readonly body: Readable | null;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
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

  /** @param timeout in milliseconds, as `proxy.timeout` has it */
  constructor(origin: string, timeout: number) {
    this.#timeout = timeout;
    this.#pool = new Pool(new URL(origin).origin, {
      allowH2: false,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: timeout,
      connect: { timeout: Math.min(timeout, CONNECT_TIMEOUT) },
    });
  }

  /** Sends a request once. It is never sent again: the application may have acted on it. */
  send(request: UpstreamRequest, listener: AnswerListener): void {
    const { method, target, fields, body, signal } = request;
    const handler = new AnswerHandler(listener, signal, this.#timeout);
    try {
      this.#pool.dispatch({ method, path: target, headers: fields.flat(), body }, handler);
    } catch (error) {
      handler.onResponseError(undefined, error);
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/** Ends an exchange from this side. */
class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #listener: AnswerListener;
  readonly #signal: AbortSignal;
  readonly #stop = (): void => this.#abort(new Abandoned());
  readonly #timeout: number;
  #deadline: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #sink: AnswerSink | undefined;
  #error: Error | undefined;

  constructor(listener: AnswerListener, signal: AbortSignal, timeout: number) {
    this.#listener = listener;
    this.#signal = signal;
    this.#timeout = timeout;
    this.#deadline = setTimeout(() => this.#abort(late(timeout)), timeout);
    if (signal.aborted) this.#error = new Abandoned();
    signal.addEventListener('abort', this.#stop, { once: true });
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
    if (status < 200) return this.#listener.inform(head);
    this.#sink = this.#listener.begin(head, {
      pause: () => controller.pause(),
      resume: () => controller.resume(),
      unbound: () => clearTimeout(this.#deadline),
      abort: () => this.#abort(new Abandoned()),
    });
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
    const problem = problemFrom(this.#error ?? error, this.#timeout, this.#sink !== undefined);
    if (this.#sink) this.#sink.fail(problem);
    else this.#listener.fail(problem);
  }

  #abort(error: Error): void {
    this.#error ??= error;
    this.#controller?.abort(this.#error);
  }

  #finish(): void {
    clearTimeout(this.#deadline);
    this.#signal.removeEventListener('abort', this.#stop);
  }
}

function fieldsFrom(raw: Dispatcher.DispatchController['rawHeaders']): HeaderFields {
  if (!Array.isArray(raw)) return [];
  return fieldsOf(raw.map((one) => (typeof one === 'string' ? one : one.toString('latin1'))));
}

function late(timeout: number): ServiceError {
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

/** The messages of the library may quote what they stumble over; only codes are taken from them. */
function problemFrom(error: unknown, timeout: number, hasBegun: boolean): ServiceError {
  if (error instanceof ServiceError) return error;
  const found: unknown = _.get(error, 'code');
  const code = typeof found === 'string' ? found : 'unknown';
  if (code === 'UND_ERR_BODY_TIMEOUT') return late(timeout);
  if (UNREACHABLE.has(code))
    return new ServiceError('upstream-unreachable', `The application cannot be reached (${code}).`);
  const what = hasBegun ? 'The answer of the application broke off' : 'The application did not answer';
  return new ServiceError('upstream-failed', `${what} (${code}).`);
}
