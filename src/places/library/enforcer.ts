import { joined } from '../../core/index.ts';
import { enforce, namesUser, type EnforcementPorts, type Intent } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import { authorizationIn, type Callers } from '../../identity/index.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import { forwardedHeaders } from '../listener/index.ts';
import type { Enforcer, EnforceOptions, MaskedPayload } from './api.ts';
import { requireOptions } from './enforce-options.ts';
import { EnforcementError } from './enforcement-error.ts';
import { rawHeadersOf } from './headers.ts';
import { KnownIntents } from './known-intents.ts';
import { MaskedPayloads } from './masked-payload.ts';
import { jsonText, payloadBytes } from './payload.ts';

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

const NO_TRACE = { measure: <T>(_name: string, work: () => T): T => work() };
const NEVER_ABORTED = new AbortController().signal;

/** Enforcement in this process, for the application that the process is. */
export class InProcessEnforcer implements Enforcer {
  readonly parts: EnforcerParts;
  /** Reads what the PDP is asked. */
  readonly intents: KnownIntents;
  readonly #masked: MaskedPayloads;
  readonly #inProgress = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(parts: EnforcerParts) {
    const { maxDepth } = parts.ports.settings;
    this.parts = parts;
    this.intents = new KnownIntents(maxDepth);
    this.#masked = new MaskedPayloads(maxDepth);
  }

  async enforce(options: EnforceOptions): Promise<MaskedPayload> {
    try {
      requireOptions(options);
      const { json, signal = NEVER_ABORTED } = options;
      const payload = payloadBytes(json);
      const bytes = await this.enforcePayload(payload, await this.intentOf(options), signal);
      return this.#masked.from(json instanceof Uint8Array ? apartFrom(json, bytes) : joined(bytes));
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
   * @throws ServiceError `request-invalid`; `token-refused` or `identity-unavailable` if a token is required
   */
  async intentOf({
    vendor = {},
    parameters = {},
    headers = {},
  }: Omit<EnforceOptions, 'json'>): Promise<Intent> {
    const forwarded = forwardedHeaders(rawHeadersOf(headers));
    const written = this.intents.read(jsonText(vendor, '/vendor'), jsonText(parameters, '/parameters'));
    const intent = { ...written, headers: forwarded };
    const { callers } = this.parts;
    if (callers === undefined || !this.#needsToken(intent)) return intent;
    return { ...intent, claims: await callers.claims(forwarded) };
  }

  /** A token that is there says who the user is, if nothing else does. */
  #needsToken({ vendor, headers }: Intent): boolean {
    const { requiresToken, asksSubject } = this.parts;
    if (requiresToken) return true;
    return asksSubject && !namesUser(vendor) && typeof authorizationIn(headers) === 'object';
  }

  /** @throws ServiceError if the payload cannot be enforced; the reason of the signal if that is aborted */
  async enforcePayload(payload: Buffer, intent: Intent, signal: AbortSignal): Promise<readonly Buffer[]> {
    const { ports, log, limits } = this.parts;
    if (this.#closed !== undefined) throw new ServiceError('draining', 'The enforcer is closed.');
    if (payload.length > limits.payload)
      throw new ServiceError(
        'body-too-large',
        `The payload has more than ${limits.payload} bytes (maxBody).`,
      );
    const room = { limit: limits.answer, reserve: () => undefined };
    const task = enforce(payload, intent, { ...ports, log, trace: NO_TRACE, signal, room });
    this.#inProgress.add(task);
    try {
      return (await task).payload;
    } finally {
      this.#inProgress.delete(task);
    }
  }

  async #finish(): Promise<void> {
    await Promise.allSettled(this.#inProgress);
    await this.parts.close();
  }
}

/** The chunks as one buffer that shares nothing with the payload: its owner may write to that again. */
function apartFrom(payload: Uint8Array, chunks: readonly Buffer[]): Buffer {
  return chunks.some(({ buffer }) => buffer === payload.buffer) ? Buffer.concat(chunks) : joined(chunks);
}
