import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { TlsContent } from './client-tls.ts';

/** The pools of connections for either scheme. */
export interface Agents {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
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

/** The connections to the PDP, whose certificates may be renewed. */
export class AgentPool {
  readonly #httpAgent = new HttpAgent(POOL);
  #httpsAgent: HttpsAgent;

  constructor(tls: TlsContent) {
    this.#httpsAgent = new HttpsAgent({ ...POOL, ...tls });
  }

  /** Those to use for the next request. */
  get current(): Agents {
    return { httpAgent: this.#httpAgent, httpsAgent: this.#httpsAgent };
  }

  /** Uses these from now on. Requests under way are finished as they are. */
  renew(tls: TlsContent): void {
    retire(this.#httpsAgent);
    this.#httpsAgent = new HttpsAgent({ ...POOL, ...tls });
  }

  close(): void {
    this.#httpAgent.destroy();
    this.#httpsAgent.destroy();
  }
}

/** Lets go of the connections of an agent that are idle, and of each other one when it falls idle. */
function retire(agent: HttpsAgent): void {
  agent.maxFreeSockets = 0;
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}
