import { performance } from 'node:perf_hooks';
import { isCancel } from 'axios';
import { Roster } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import { readRegular, unlessKnown, watchFiles, type FileWatch } from '../../files/index.ts';
import type { Answers, Call, Message, PdpConnection, Transport, Sent } from '../port.ts';
import { AgentPool } from './agent-pool.ts';
import { readClientTls, tlsFilesOf, type ClientTls, type TlsContent } from './client-tls.ts';
import { targetOf, tryConnection } from './connection-try.ts';
import { Connection } from './connection.ts';
import { startDeadline, type Deadline } from './deadline.ts';
import { decisionIn } from './decision.ts';
import { createExchange, type Answer, type Exchange } from './exchange.ts';
import { answersTooLarge, closedFailure, exchangeFailure, timeoutFailure } from './failure.ts';
import type { Limits } from './limits.ts';
import type { RetryReason } from './retries.ts';

/** The address of a PDP, and how it is asked over HTTP. */
export interface HttpTransportOptions extends Limits {
  /** The address at which a connection is tried if nothing was asked lately. */
  readonly origin: URL;
  /** For endpoints over https. */
  readonly tls?: ClientTls;
  /** Called when files of `tls` have changed: without an argument if they were loaded, else with the error. */
  readonly onTlsChange?: (failure?: unknown) => void;
  /** Called before a question is asked again because its connection failed. */
  readonly onRetry?: (reason: RetryReason) => void;
  /** How often files of `tls` are looked at, in milliseconds. */
  readonly watchInterval?: number;
}

/** How many messages of one question are under way at once. */
const MAX_PARALLEL = 8;
/** The answers to all messages of a question may be as long as so many of the longest ones. */
const MAX_LONGEST = 4;

/**
 * A PDP that is asked over HTTP: the bytes of each message unchanged, the headers of the call, and one deadline over
 * all messages of the call. Redirects are not followed and no proxy is used.
 *
 * If the signal of the question is aborted, `decide` rejects with its reason.
 *
 * @throws ConfigurationError if the files of `tls` cannot be used
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  return new HttpTransport(options);
}

class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions;
  readonly #agents: AgentPool;
  readonly #watch: FileWatch;
  readonly #exchange: Exchange;
  readonly #connection: Connection;
  readonly #closing = new AbortController();
  /** Of the calls that are under way. */
  readonly #deadlines = new Roster<Deadline>();

  constructor(options: HttpTransportOptions) {
    const target = targetOf(options.origin);
    this.#options = options;
    const read = readClientTls(options.tls);
    this.#agents = new AgentPool(read, options.timeout);
    const readAgain = (): TlsContent => readClientTls(options.tls, readRegular);
    const renew = unlessKnown(read, readAgain, (content) => {
      this.#agents.renew(content);
      options.onTlsChange?.();
    });
    this.#watch = watchFiles(tlsFilesOf(options.tls), () => this.#renewTls(renew), {
      interval: options.watchInterval,
      seen: 'changed',
    });
    this.#exchange = createExchange(
      () => this.#agents.current,
      options.maxAnswerBytes,
      options.onRetry ?? (() => undefined),
    );
    this.#connection = new Connection(
      () => tryConnection(target, this.#closing.signal),
      () => performance.now(),
    );
  }

  async decide(call: Call): Promise<Answers> {
    const deadline = startDeadline(this.#options.timeout, call.signal);
    const at = this.#deadlines.add(deadline);
    if (this.#closing.signal.aborted) deadline.end();
    const most = this.#options.maxAnswerBytes * MAX_LONGEST;
    let left = most;
    try {
      return await inParallel(call.messages, async (message) => {
        const decision = await this.#decisionOn(message, call, deadline);
        left -= decision.byteLength;
        if (left < 0) throw answersTooLarge(most);
        return decision;
      });
    } catch (error) {
      // If one message failed, the others are of no use.
      deadline.end();
      throw error;
    } finally {
      this.#deadlines.delete(at);
      deadline.clear();
    }
  }

  connection(): Promise<PdpConnection> {
    return this.#connection.state();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const deadline of this.#deadlines) deadline.end();
    this.#connection.lost();
    this.#watch.close();
    await this.#agents.close();
  }

  /** Keeps the current files if the new ones are not valid, or do not fit together yet. */
  #renewTls(renew: () => void): void {
    try {
      renew();
    } catch (error) {
      this.#options.onTlsChange?.(error);
    }
  }

  async #decisionOn(message: Message, { headers, signal }: Call, deadline: Deadline): Promise<Uint8Array> {
    const sent = { ...message, headers };
    return decisionIn(await this.#answerTo(sent, signal, deadline), sent, this.#options);
  }

  async #answerTo(sent: Sent, signal: AbortSignal | undefined, deadline: Deadline): Promise<Answer> {
    try {
      const answer = await this.#exchange(sent, deadline.signal);
      this.#connection.answered();
      return answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ServiceError) throw error;
      throw this.#failure(error, deadline);
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
    // A PDP that refuses connections until the time is up is not slow.
    if (deadline.passed() && isCancel(error)) return timeoutFailure(this.#options);
    return exchangeFailure(error, this.#options);
  }
}

/** Does something with each item, some at a time; the first failure is that of the whole. */
async function inParallel<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const [only] = items;
  if (only !== undefined && items.length === 1) return [await act(only)];
  const results: R[] = [];
  const left = items.entries();
  let failed = false;
  const work = async (): Promise<void> => {
    for (const [i, item] of left) {
      if (failed) return;
      // oxlint-disable-next-line no-await-in-loop -- the others work at the same time
      results[i] = await act(item);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, items.length) }, work));
  } finally {
    failed = true;
  }
  return results;
}
