import { ServiceError } from '../../errors.ts';
import { changesOfAnswer } from '../answer/index.ts';
import { serviceErrorFrom, valuesOf } from '../listener/index.ts';
import type { Admission, EnforcingAdmission, RequestHead } from './admission.ts';
import { EnforcedAnswer, upgradeRefused } from './enforced-answer.ts';
import { localAnswer } from './local-answer.ts';
import { PassedAnswer } from './passed-answer.ts';
import { problemAnswer } from './problem-answer.ts';
import type { BodyMode, BodyModes, Fields, Part, ProcessingRequest } from './protocol/request.ts';
import { bodyAnswer, bodyPiece, headersAnswer, NO_MUTATION, trailersAnswer } from './protocol/response.ts';
import type { Conversation, Outlet } from './stream.ts';

/** The answer of upstream on its way to the client. */
export interface Answer {
  /** Takes a part of it after the headers. */
  take(part: Part): Promise<void>;
  readonly isComplete: boolean;
  /** Whether the client may have a part of it already. */
  readonly hasBegun: boolean;
  close(): void;
}

/** `gone`: the client or upstream had gone before everything was answered. */
export type ExchangeOutcome = 'enforced' | 'passed' | 'refused' | 'gone';

export interface ExchangeOptions {
  /** Known once the headers of the request are. */
  readonly requestId: () => string;
  /** How long the body of an answer may take to arrive, in milliseconds. */
  readonly bodyTimeout: number;
  /** @throws ServiceError if the request is refused */
  readonly admit: (request: RequestHead) => Promise<Admission>;
}

/** Modes in which a whole body can be replaced. */
const ENFORCEABLE: ReadonlySet<BodyMode> = new Set(['BUFFERED', 'FULL_DUPLEX_STREAMED']);

/** One HTTP exchange between a client and upstream, of which Envoy sends the parts and waits for an answer to each. */
export class HttpExchange implements Conversation {
  readonly #outlet: Outlet;
  readonly #options: ExchangeOptions;
  #modes: BodyModes | undefined;
  #method = '';
  #admission: Admission | undefined;
  #answer: Answer | undefined;
  #isObserved = false;
  /** Whether Envoy answered the request itself, without a body. */
  #isAnsweredByEnvoy = false;
  /** What upstream answered. */
  upstreamStatus: number | undefined;
  /** Why the client gets a problem document, or an answer that breaks off. */
  refusal: ServiceError | undefined;

  constructor(outlet: Outlet, options: ExchangeOptions) {
    this.#outlet = outlet;
    this.#options = options;
  }

  /** Whether the client has a part of the answer and gets no more. */
  get isBrokenOff(): boolean {
    return this.refusal !== undefined && this.#answer?.hasBegun === true;
  }

  get isComplete(): boolean {
    if (this.refusal !== undefined || this.#admission?.treatment === 'pass') return true;
    if (this.#isAnsweredByEnvoy) return true;
    return this.#answer?.isComplete === true;
  }

  async take(message: ProcessingRequest): Promise<void> {
    // After an answer of this service, Envoy heeds nothing that follows.
    if (this.refusal !== undefined) return;
    try {
      await this.#take(message);
    } catch (error) {
      if (this.#outlet.signal.aborted) throw error;
      await this.#refuse(serviceErrorFrom(error));
    }
  }

  /** Refuses the answer, maybe while no message is being taken. */
  #fail(reason: unknown): void {
    if (!this.#outlet.signal.aborted) this.#refuse(serviceErrorFrom(reason)).catch(() => undefined);
  }

  /** Whether Envoy sends on what it should not, because it heeds no answer. */
  get isUnheeded(): boolean {
    return this.#isObserved && this.#admission?.treatment !== 'pass';
  }

  /** What became of it. */
  get outcome(): ExchangeOutcome {
    if (this.refusal !== undefined) return 'refused';
    if (!this.isComplete) return 'gone';
    return this.#answer instanceof EnforcedAnswer && !this.#answer.isPassed ? 'enforced' : 'passed';
  }

  close(): void {
    this.#answer?.close();
  }

  async #take({ part, modes, isObserved, metadata }: ProcessingRequest): Promise<void> {
    this.#modes ??= modes;
    this.#isObserved ||= isObserved;
    if (part === undefined) throw unsupported('Envoy sent a message that this service does not know.');
    if (part.side === 'request') await this.#takeRequest(part, metadata);
    else await this.#takeAnswer(part);
  }

  async #takeRequest(part: Part, metadata: ProcessingRequest['metadata']): Promise<void> {
    if (part.kind === 'headers') return this.#begin(part.fields, metadata);
    if (this.#admission === undefined) throw headersSkipped('request_header_mode');
    if (this.#isObserved) return;
    if (part.kind === 'trailers') return this.#outlet.send(trailersAnswer('request', NO_MUTATION));
    const isDuplex = this.#modes?.request === 'FULL_DUPLEX_STREAMED';
    await this.#outlet.send(isDuplex ? bodyPiece('request', [part.body], part.last) : bodyAnswer('request'));
  }

  async #begin(fields: Fields, metadata: ProcessingRequest['metadata']): Promise<void> {
    if (this.#admission !== undefined || this.#isAnsweredByEnvoy)
      throw unsupported('Envoy sent the headers of a request twice, or after those of its answer.');
    const method = soleIn(fields, ':method');
    // Without it, a request may take a looser route than the one for its method.
    if (method === '') throw unsupported('Envoy sent a request without :method (forward_rules).');
    const path = soleIn(fields, ':path');
    const own = fields.filter(([name]) => !name.startsWith(':'));
    this.#method = method;
    this.#admission = await this.#options.admit({ method, path, fields: own, metadata });
    if (this.#admission.treatment === 'pass') return this.#beginPassing(this.#admission.removedFields);
    this.#requireEnforceable(fields);
    await this.#outlet.send(headersAnswer('request', { set: [], remove: this.#admission.removedFields }));
  }

  async #beginPassing(removed: readonly string[]): Promise<void> {
    const answer = new PassedAnswer(this.#outlet, this.#responseMode);
    this.#answer = answer;
    if (!this.#isObserved) await answer.beginWithRequest(removed);
  }

  get #responseMode(): BodyMode {
    return this.#modes?.response ?? 'UNKNOWN';
  }

  /** Refuses what Envoy would send on unmasked. */
  #requireEnforceable(fields: Fields): void {
    if (this.#isObserved)
      throw unsupported('In observability_mode, Envoy ignores the answers of this service.');
    if (this.#modes === undefined)
      throw unsupported('Envoy does not say how it sends bodies; Envoy 1.34 and later do (protocol_config).');
    if (!ENFORCEABLE.has(this.#responseMode))
      throw unsupported('response_body_mode has to be BUFFERED or FULL_DUPLEX_STREAMED on this route.');
    if (this.#responseMode === 'BUFFERED' && !heedsOverrides(this.#modes))
      throw unsupported(
        'With request_body_mode: FULL_DUPLEX_STREAMED or send_body_without_waiting_for_header_response, response_body_mode has to be FULL_DUPLEX_STREAMED, too: else Envoy sends trailers on unmasked.',
      );
    if (this.#modes.request === 'UNKNOWN') throw unsupported('This request_body_mode is not supported.');
    if (this.#method === 'CONNECT' || fields.some(([name]) => name === 'upgrade' || name === ':protocol'))
      throw upgradeRefused();
  }

  async #takeAnswer(part: Part): Promise<void> {
    const admission = this.#admission;
    if (part.kind === 'headers') this.upstreamStatus = statusIn(part.fields);
    if (admission === undefined) return this.#takeAnswerOfEnvoy(part);
    if (this.#isObserved) return;
    if (admission.treatment === 'pass') return this.#answer?.take(part);
    if (part.kind === 'headers') return this.#beginAnswer(part, admission);
    if (this.#answer === undefined) throw headersSkipped('response_header_mode');
    await this.#answer.take(part);
  }

  /**
   * Envoy and filters before this one refuse some requests, such as those without a token. Their answer passes if it has no
   * body; another one is replaced.
   */
  async #takeAnswerOfEnvoy(part: Part): Promise<void> {
    if (part.kind !== 'headers' || this.#isAnsweredByEnvoy) throw headersSkipped('request_header_mode');
    const status = this.upstreamStatus ?? 0;
    if (!part.last && (status < 400 || this.#isObserved)) throw headersSkipped('request_header_mode');
    this.#isAnsweredByEnvoy = true;
    const { fields, last } = part;
    await this.#outlet.send(
      last ? headersAnswer('response', changesOfAnswer(fields, [])) : localAnswer(status, fields),
    );
  }

  async #beginAnswer(
    part: Extract<Part, { readonly kind: 'headers' }>,
    admission: EnforcingAdmission,
  ): Promise<void> {
    if (this.#answer !== undefined) throw unsupported('Envoy sent the headers of an answer twice.');
    const answer = new EnforcedAnswer(admission, {
      method: this.#method,
      outlet: this.#outlet,
      mode: this.#responseMode,
      bodyTimeout: this.#options.bodyTimeout,
      onFailure: (reason) => this.#fail(reason),
    });
    this.#answer = answer;
    await answer.begin({ status: this.upstreamStatus ?? 0, fields: part.fields }, part.last);
  }

  /** Sends the problem in place of the answer, or breaks the answer off. */
  async #refuse(error: ServiceError): Promise<void> {
    if (this.refusal !== undefined) return;
    this.refusal = error;
    this.#answer?.close();
    if (this.#answer?.hasBegun === true)
      return this.#outlet.fail('The rest of the answer cannot be enforced.');
    await this.#outlet.send(problemAnswer(error, this.#options.requestId()));
  }
}

/** @throws ServiceError if a pseudo field has several values, of which a route could match another than Envoy */
function soleIn(fields: Fields, name: string): string {
  const [value = '', ...others] = valuesOf(fields, name);
  if (others.length > 0) throw unsupported(`Envoy sent ${name} more than once.`);
  return value;
}

function statusIn(fields: Fields): number {
  const status = soleIn(fields, ':status');
  if (!/^\d{3}$/u.test(status)) throw unsupported('Envoy sent an answer without a status.');
  return Number(status);
}

/** Whether Envoy sends trailers if this service asks for them (`mode_override`). It does not say whether it does so by itself. */
function heedsOverrides({ request, waitsForHeaders }: BodyModes): boolean {
  return waitsForHeaders && request !== 'FULL_DUPLEX_STREAMED';
}

function headersSkipped(key: string): ServiceError {
  return unsupported(
    `Envoy made this answer itself, or ${key} is not SEND: without the headers, nothing can be enforced.`,
  );
}

/** Envoy is configured in a way in which answers would not be masked. */
function unsupported(detail: string): ServiceError {
  return new ServiceError('response-not-enforceable', detail);
}
