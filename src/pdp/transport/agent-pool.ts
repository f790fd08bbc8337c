import { Agent } from 'undici';
import type { TlsContent } from './client-tls.ts';

/**
 * Connections are kept for the next question, which takes the first free one. So those beyond the load fall idle and are
 * closed before a firewall on the way forgets them. The deadline of an exchange bounds it as a whole, so its parts have no
 * timeouts.
 */
const POOL: Agent.Options = {
  connections: 256,
  pipelining: 1,
  keepAliveTimeout: 30_000,
  headersTimeout: 0,
  bodyTimeout: 0,
  allowH2: false,
};

/** The connections to the PDP, whose certificates may be renewed. */
export class AgentPool {
  readonly #connectTimeout: number;
  #agent: Agent;

  /**
   * @param connectTimeout how long a connection may take to come about, in milliseconds
   */
  constructor(tls: TlsContent, connectTimeout: number) {
    this.#connectTimeout = connectTimeout;
    this.#agent = this.#agentFor(tls);
  }

  /** The one to use for the next request. */
  get current(): Agent {
    return this.#agent;
  }

  /** Uses these from now on. Requests under way are finished as they are. */
  renew(tls: TlsContent): void {
    void this.#agent.close();
    this.#agent = this.#agentFor(tls);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #agentFor(tls: TlsContent): Agent {
    // Explicit: NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment must not switch off that the PDP is verified.
    const connect = { ...tls, timeout: this.#connectTimeout, rejectUnauthorized: true };
    return new Agent({ ...POOL, connect });
  }
}
