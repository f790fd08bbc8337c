import { abortable } from '../../abortable.ts';
import { joined } from '../../core/index.ts';
import {
  enforceSoon,
  namesUser,
  Roster,
  type Enforced,
  type EnforcementPorts,
  type HeaderFields,
  type Intent,
  type Ports,
} from '../../enforcement/index.ts';
import { RETRY_SOON, ServiceError } from '../../errors.ts';
import { authorizationIn, type Callers } from '../../identity/index.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import { forwardedHeaders } from '../listener/index.ts';
import type { Enforcer, EnforceOptions, MaskedPayload } from './api.ts';
import { requireOptions } from './enforce-options.ts';
import { EnforcementError } from './enforcement-error.ts';
import { rawHeadersOf } from './headers.ts';
import { KnownIntents } from './known-intents.ts';
import { MaskedPayloads } from './masked-payload.ts';
import { isBytes, jsonText, payloadBytes } from './payload.ts';

/** What an enforcer works with. */
export interface EnforcerParts {
  readonly ports: EnforcementPorts;
  readonly log: Logger;
  /** The longest payload and the longest answer, in bytes. */
  readonly limits: { readonly payload: number; readonly answer: number };
  /** Verifies tokens; undefined if the configuration does not say which to accept. */
  readonly callers: Callers | undefined;
  /** Whether every payload needs the token of a user (`identity.required`). */
  readonly requiresToken: boolean;
  /** Whether the PDP is asked about the user of the token if nothing else names one. */
  readonly asksSubject: boolean;
  /** Lets go of the PDP and of the files. */
  readonly close: () => Promise<void>;
}

const NO_MEMBERS = '{}';
const NO_HEADERS: HeaderFields = [];

/** Enforcement in this process, for the application that the process is. */
export class InProcessEnforcer implements Enforcer {
  readonly parts: EnforcerParts;
  /** Reads what the PDP is asked. */
  readonly intents: KnownIntents;
  readonly #masked: MaskedPayloads;
  readonly #ports: Ports;
  readonly #inProgress = new Roster<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(parts: EnforcerParts) {
    const { maxDepth } = parts.ports.settings;
    this.parts = parts;
    this.intents = new KnownIntents(maxDepth);
    this.#masked = new MaskedPayloads();
    const room = { limit: parts.limits.answer, reserve: () => undefined };
    this.#ports = { ...parts.ports, log: parts.log, room };
  }

  async enforce(options: EnforceOptions): Promise<MaskedPayload> {
    try {
      requireOptions(options);
      this.#mustBeOpen();
      const { json, signal } = options;
      const payload = payloadBytes(json);
      const intent = this.#intentSoon(options);
      const enforced =
        intent instanceof Promise
          ? intent.then((known) => this.#enforceSoon(payload, known, signal))
          : this.#enforceSoon(payload, intent, signal);
      const { payload: bytes } = enforced instanceof Promise ? await this.#followed(enforced) : enforced;
      return this.#masked.from(isBytes(json) ? apartFrom(payload, bytes) : joined(bytes));
    } catch (error) {
      throw error instanceof ServiceError ? new EnforcementError(error) : error;
    }
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#finish());
  }

  /**
   * Who asks, and how the payload is enforced.
   *
   * @throws ServiceError `request-invalid`; `token-refused` or `identity-unavailable` if a token is required; the reason of the signal
   *   if that is aborted
   */
  #intentSoon({
    vendor,
    parameters,
    headers,
    signal,
  }: Omit<EnforceOptions, 'json'>): Intent | Promise<Intent> {
    const forwarded = headers === undefined ? NO_HEADERS : forwardedHeaders(rawHeadersOf(headers));
    const { vendor: asked, parameters: settings } = this.intents.read(
      vendor === undefined ? NO_MEMBERS : jsonText(vendor, '/vendor'),
      parameters === undefined ? NO_MEMBERS : jsonText(parameters, '/parameters'),
    );
    const intent = { vendor: asked, parameters: settings, headers: forwarded };
    const { callers } = this.parts;
    if (callers === undefined || !this.#needsToken(intent)) return intent;
    return abortable(callers.claims(forwarded), signal).then((claims) => ({ ...intent, claims }));
  }

  /** A token that is there says who the user is, if nothing else does. */
  #needsToken({ vendor, headers }: Intent): boolean {
    const { requiresToken, asksSubject } = this.parts;
    if (requiresToken) return true;
    return asksSubject && !namesUser(vendor) && typeof authorizationIn(headers) === 'object';
  }

  /**
   * Does something that `close` waits for.
   *
   * @throws ServiceError `draining` once the enforcer is closed
   */
  during<T>(task: () => Promise<T>): Promise<T> {
    this.#mustBeOpen();
    return this.#followed(task());
  }

  /**
   * Enforces a payload as a part of what is {@link during}.
   *
   * @throws ServiceError if the payload cannot be enforced; the reason of the signal if that is aborted
   */
  async enforcePayload(payload: Buffer, intent: Intent, signal: AbortSignal): Promise<readonly Buffer[]> {
    return (await this.#enforceSoon(payload, intent, signal)).payload;
  }

  #enforceSoon(
    payload: Buffer,
    intent: Intent,
    signal: AbortSignal | undefined,
  ): Enforced | Promise<Enforced> {
    const { limits } = this.parts;
    if (payload.length > limits.payload)
      throw new ServiceError(
        'body-too-large',
        `The payload has more than ${limits.payload} bytes (maxBody).`,
      );
    return enforceSoon(payload, intent, signal === undefined ? this.#ports : { ...this.#ports, signal });
  }

  /** @throws ServiceError `draining` once the enforcer is closed */
  #mustBeOpen(): void {
    if (this.#closed !== undefined) throw closed();
  }

  async #followed<T>(task: Promise<T>): Promise<T> {
    const at = this.#inProgress.add(task);
    try {
      return await task;
    } finally {
      this.#inProgress.delete(at);
    }
  }

  async #finish(): Promise<void> {
    await Promise.allSettled(this.#inProgress);
    await this.parts.close();
  }
}

/** As the service answers while it stops. */
function closed(): ServiceError {
  return new ServiceError('draining', 'The enforcer is closed.', { headers: RETRY_SOON });
}

/** The chunks as one buffer that shares nothing with the payload: its owner may write to that again. */
function apartFrom(payload: Uint8Array, chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  const isApart = only !== undefined && chunks.length === 1 && only.buffer !== payload.buffer;
  return isApart ? only : Buffer.concat(chunks);
}
