import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { performance } from 'node:perf_hooks';
import { ServiceError } from '../../errors.ts';
import type { CalculationType, PdpConnection, PdpPort, PdpQuestion } from '../port.ts';
import { targetOf, tryConnection } from './connection-try.ts';
import { Connection } from './connection.ts';
import { startDeadline, type Deadline } from './deadline.ts';
import { decisionIn } from './decision.ts';
import { createExchange, type Agents, type Answer, type Exchange } from './exchange.ts';
import { closedFailure, exchangeFailure, timeoutFailure } from './failure.ts';
import type { Limits } from './limits.ts';

/** Where and how a PDP is asked over HTTP. */
export interface HttpPdpOptions extends Limits {
  /** The policy resolution endpoint and the user access token endpoint (specification 2.4). */
  readonly endpoints: { readonly resolution: URL; readonly token: URL };
}

/**
 * Connections are kept for the next question, the one used last first, so that those beyond the load fall idle and are
 * given up before a firewall on the way forgets them.
 */
const POOL: AgentOptions = {
  keepAlive: true,
  scheduling: 'lifo',
  maxSockets: 256,
  maxFreeSockets: 64,
  timeout: 30_000,
};

const ENDPOINTS = { resolution: 'resolution', context: 'token' } as const satisfies Record<
  CalculationType,
  keyof HttpPdpOptions['endpoints']
>;

/**
 * A PDP that is asked over HTTP (enforcement §4): the question's bytes as they are, its headers, and one deadline over the
 * whole exchange. Redirects are not followed and no proxy is used.
 *
 * When the question's own signal is aborted, `decide` rejects with that signal's reason, whatever it is.
 */
export function createHttpPdp(options: HttpPdpOptions): PdpPort {
  return new HttpPdp(options);
}

class HttpPdp implements PdpPort {
  readonly #options: HttpPdpOptions;
  readonly #agents: Agents;
  readonly #exchange: Exchange;
  readonly #connection: Connection;
  readonly #closing = new AbortController();

  constructor(options: HttpPdpOptions) {
    const target = targetOf(options.endpoints.resolution);
    this.#options = options;
    this.#agents = { httpAgent: new HttpAgent(POOL), httpsAgent: new HttpsAgent(POOL) };
    this.#exchange = createExchange(this.#agents, options.maxAnswerBytes);
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

  close(): Promise<void> {
    this.#closing.abort();
    this.#connection.lost();
    this.#agents.httpAgent.destroy();
    this.#agents.httpsAgent.destroy();
    return Promise.resolve();
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
