import { performance } from 'node:perf_hooks';
import { ServiceError } from '../../errors.ts';
import { watchFiles, type FileWatch } from '../../files/watch.ts';
import type { CalculationType, PdpConnection, PdpPort, PdpQuestion } from '../port.ts';
import { AgentPool } from './agent-pool.ts';
import { readClientTls, tlsFilesOf, type ClientTls } from './client-tls.ts';
import { targetOf, tryConnection } from './connection-try.ts';
import { Connection } from './connection.ts';
import { startDeadline, type Deadline } from './deadline.ts';
import { decisionIn } from './decision.ts';
import { createExchange, type Answer, type Exchange } from './exchange.ts';
import { closedFailure, exchangeFailure, timeoutFailure } from './failure.ts';
import type { Limits } from './limits.ts';

/** Where and how a PDP is asked over HTTP. */
export interface HttpPdpOptions extends Limits {
  /** The policy resolution endpoint and the user access token endpoint (specification 2.4). */
  readonly endpoints: { readonly resolution: URL; readonly token: URL };
  /** For endpoints over https. */
  readonly tls?: ClientTls;
  /** Told when files of `tls` have changed: whether they could be taken up, and if not, why. */
  readonly onTlsChange?: (failure?: unknown) => void;
  /** How often files of `tls` are looked at, in milliseconds. */
  readonly watchInterval?: number;
}

const ENDPOINTS = { resolution: 'resolution', context: 'token' } as const satisfies Record<
  CalculationType,
  keyof HttpPdpOptions['endpoints']
>;

/**
 * A PDP that is asked over HTTP (enforcement §4): the question's bytes as they are, its headers, and one deadline over the
 * whole exchange. Redirects are not followed and no proxy is used.
 *
 * When the question's own signal is aborted, `decide` rejects with that signal's reason, whatever it is.
 *
 * @throws ConfigurationError where the files of `tls` cannot be used
 */
export function createHttpPdp(options: HttpPdpOptions): PdpPort {
  return new HttpPdp(options);
}

class HttpPdp implements PdpPort {
  readonly #options: HttpPdpOptions;
  readonly #agents: AgentPool;
  readonly #watch: FileWatch;
  readonly #exchange: Exchange;
  readonly #connection: Connection;
  readonly #closing = new AbortController();

  constructor(options: HttpPdpOptions) {
    const target = targetOf(options.endpoints.resolution);
    this.#options = options;
    this.#agents = new AgentPool(readClientTls(options.tls), options.timeout);
    this.#watch = watchFiles(tlsFilesOf(options.tls), () => this.#renewTls(), options.watchInterval);
    this.#exchange = createExchange(() => this.#agents.current, options.maxAnswerBytes);
    this.#connection = new Connection(
      () => tryConnection(target, this.#closing.signal),
      () => performance.now(),
    );
  }

  async decide(question: PdpQuestion): Promise<Uint8Array> {
    return decisionIn(await this.#answerTo(question), question, this.#options);
  }

  connection(): Promise<PdpConnection> {
    return this.#connection.state();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#connection.lost();
    this.#watch.close();
    await this.#agents.close();
  }

  /** Where the files are of no use, or do not fit together yet, the ones before go on. */
  #renewTls(): void {
    const { tls, onTlsChange } = this.#options;
    try {
      this.#agents.renew(readClientTls(tls));
      onTlsChange?.();
    } catch (error) {
      onTlsChange?.(error);
    }
  }

  async #answerTo(question: PdpQuestion): Promise<Answer> {
    const endpoint = this.#options.endpoints[ENDPOINTS[question.calculationType]];
    const deadline = startDeadline(this.#options.timeout, this.#closing.signal, ...signalsOf(question));
    try {
      const answer = await this.#exchange(endpoint, question, deadline.signal);
      this.#connection.answered();
      return answer;
    } catch (error) {
      question.signal?.throwIfAborted();
      if (error instanceof ServiceError) throw error;
      throw this.#failure(error, deadline);
    } finally {
      deadline.clear();
    }
  }

  #failure(error: unknown, deadline: Deadline): ServiceError {
    const failure = this.#explain(error, deadline);
    if (failure.code === 'pdp-failed') this.#connection.answered();
    else this.#connection.lost();
    return failure;
  }

  #explain(error: unknown, deadline: Deadline): ServiceError {
    if (this.#closing.signal.aborted) return closedFailure();
    if (deadline.passed()) return timeoutFailure(this.#options);
    return exchangeFailure(error, this.#options);
  }
}

function signalsOf({ signal }: PdpQuestion): readonly AbortSignal[] {
  return signal === undefined ? [] : [signal];
}
