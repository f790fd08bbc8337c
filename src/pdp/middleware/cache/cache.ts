import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { PdpConnection, PdpPort, PdpQuestion } from '../../port.ts';
import { keyOf } from './key.ts';
import { SharedCalls } from './shared-calls.ts';
import { validityOf } from './validity.ts';

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

/** What an entry takes besides its decision: its key and the cache's own records, in bytes. */
const ENTRY_OVERHEAD = 256;

/**
 * Answers a question from memory where the same was asked before, and asks only once where the same is asked by several
 * at the same time. The same is what is the same in all that is sent ({@link keyOf}), credentials included.
 *
 * Only decisions are kept, no refusals and no failures; each as long as its `tokenValidity` says (enforcement §5), counted
 * from when it was asked for, and never when that says nothing. A caller who hangs up leaves the others waiting.
 */
export function withCache(pdp: PdpPort, options: CacheOptions): PdpPort {
  return new CachingPdp(pdp, options);
}

class CachingPdp implements PdpPort {
  readonly #pdp: PdpPort;
  readonly #maxAge: number;
  readonly #now: () => number;
  readonly #decisions: LRUCache<string, Uint8Array>;
  readonly #calls = new SharedCalls<Uint8Array>();
  #closed = false;

  constructor(pdp: PdpPort, { maxEntries, maxBytes, maxAge, now = () => performance.now() }: CacheOptions) {
    this.#pdp = pdp;
    this.#maxAge = maxAge;
    this.#now = now;
    this.#decisions = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: ({ byteLength }) => byteLength + ENTRY_OVERHEAD,
      ttlAutopurge: true,
      ttlResolution: 0,
      perf: { now },
    });
  }

  async decide(question: PdpQuestion): Promise<Uint8Array> {
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

  async #ask(key: string, question: PdpQuestion): Promise<Uint8Array> {
    const askedAt = this.#now();
    // A copy, because the bytes may be a small part of a large buffer.
    const decision = new Uint8Array(await this.#pdp.decide(question));
    const validUntil = askedAt + Math.min(validityOf(decision) * 1000, this.#maxAge);
    const ttl = validUntil - this.#now();
    if (ttl > 0 && !this.#closed) this.#decisions.set(key, decision, { ttl });
    return decision;
  }
}
