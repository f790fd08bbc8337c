import type { PdpConnection } from '../port.ts';

/** How long an answer of the PDP counts as a connection. */
const ANSWER_COUNTS_MS = 5000;
/** How long the outcome of a try is kept. */
const TRY_COUNTS_MS = 1000;

interface Tried {
  readonly outcome: PdpConnection;
  readonly until: number;
}

/**
 * What is known of the connection to the PDP: that it answered lately, or else what came of a try, which all who ask at
 * the same time share.
 */
export class Connection {
  readonly #connect: () => Promise<PdpConnection>;
  readonly #now: () => number;
  #answeredAt = -Infinity;
  #tried: Tried | undefined;
  #trying: Promise<PdpConnection> | undefined;

  /**
   * @param connect tries the PDP; it must not reject
   * @param now a clock in milliseconds that never goes back
   */
  constructor(connect: () => Promise<PdpConnection>, now: () => number) {
    this.#connect = connect;
    this.#now = now;
  }

  /** The PDP gave an HTTP answer, whatever it said. */
  answered(): void {
    this.#answeredAt = this.#now();
  }

  /** The PDP was asked and nothing came: what it answered before no longer counts. */
  lost(): void {
    this.#answeredAt = -Infinity;
  }

  /** Whether the PDP can be reached. Never throws. */
  async state(): Promise<PdpConnection> {
    const now = this.#now();
    if (now - this.#answeredAt < ANSWER_COUNTS_MS) return { connected: true };
    if (this.#tried !== undefined && now < this.#tried.until) return this.#tried.outcome;
    this.#trying ??= this.#try();
    return this.#trying;
  }

  async #try(): Promise<PdpConnection> {
    const outcome = await this.#connect();
    this.#tried = { outcome, until: this.#now() + TRY_COUNTS_MS };
    this.#trying = undefined;
    return outcome;
  }
}
