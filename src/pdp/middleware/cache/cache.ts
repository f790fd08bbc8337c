import { performance } from 'node:perf_hooks';
import _ from 'lodash';
import { LRUCache } from 'lru-cache';
import type { Answers, Call, PdpConnection, Transport } from '../../port.ts';
import { keyOf } from './key.ts';
import { SharedCalls } from './shared-calls.ts';

/** Bounds of a decision cache. */
export interface CacheOptions {
  /** How many decisions are kept at most. */
  readonly maxEntries: number;
  /** How large they may be together, in bytes. */
  readonly maxBytes: number;
  /** How long one is kept at most, in milliseconds, whatever it says itself. */
  readonly maxAge: number;
  /** In milliseconds, above 0; it must not go back. */
  readonly now?: () => number;
}

/** What an entry takes besides its answers, in bytes, about: its key, the cache's own records and its timer. */
const ENTRY_OVERHEAD = 450;
/** What each of its answers takes besides its bytes, which are in a buffer of their own. There may be hundreds. */
const ANSWER_OVERHEAD = 430;

/**
 * Answers a question from memory if the same was asked before, and asks only once if several callers ask the same at
 * the same time. Two questions are the same if everything that is sent is the same ({@link keyOf}), credentials
 * included.
 *
 * Only decisions are kept, no refusals and no failures; each as long as the protocol says, counted from the question,
 * and never if it does not say. If a caller hangs up, the others keep waiting.
 */
export function withDecisionCache(pdp: Transport, options: CacheOptions): Transport {
  return new CachingPdp(pdp, options);
}

class CachingPdp implements Transport {
  readonly remembers = true;
  readonly #pdp: Transport;
  readonly #maxAge: number;
  readonly #now: () => number;
  readonly #decisions: LRUCache<string, Answers>;
  readonly #calls = new SharedCalls<Answers>();
  #closed = false;

  constructor(pdp: Transport, { maxEntries, maxBytes, maxAge, now = () => performance.now() }: CacheOptions) {
    this.#pdp = pdp;
    this.#maxAge = maxAge;
    this.#now = now;
    this.#decisions = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: sizeOf,
      ttlAutopurge: true,
      ttlResolution: 0,
      perf: { now },
    });
  }

  async decide(question: Call): Promise<Answers> {
    question.signal?.throwIfAborted();
    if (this.#closed) return this.#pdp.decide(question);
    const key = keyOf(question);
    return (
      this.#decisions.get(key) ??
      this.#calls.join(key, question.signal, (signal) => this.#ask(key, { ...question, signal }))
    );
  }

  connection(): Promise<PdpConnection> {
    return this.#pdp.connection();
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#decisions.clear();
    return this.#pdp.close();
  }

  async #ask(key: string, question: Call): Promise<Answers> {
    const askedAt = this.#now();
    // Copies, because the bytes may be a small part of a large buffer.
    const answers = (await this.#pdp.decide(question)).map((answer) => new Uint8Array(answer));
    const validUntil = askedAt + Math.min(question.validityOf(answers) * 1000, this.#maxAge);
    const ttl = validUntil - this.#now();
    if (ttl > 0 && !this.#closed) this.#decisions.set(key, answers, { ttl });
    return answers;
  }
}

/** What an entry takes in memory, in bytes. */
function sizeOf(answers: Answers): number {
  return ENTRY_OVERHEAD + _.sumBy(answers, ({ byteLength }) => byteLength + ANSWER_OVERHEAD);
}
