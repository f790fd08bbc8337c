import { LRUCache } from 'lru-cache';

interface Entry<T> {
  readonly value: T;
  /** How much it took when it was weighed last. */
  readonly weight: number;
}

/** By which part a value has grown if it is worth to weigh it again. */
const GROWTH = 1 / 8;

/** What a cache keeps. */
interface Limits<T> {
  /** How many values. */
  readonly max: number;
  /** How much they may take together, in bytes. */
  readonly maxWeight: number;
  /** How much a value takes now, in bytes, above 0. */
  readonly weightOf: (value: T) => number;
}

/**
 * Values by keys that take more memory the longer they are used, as long as they are neither too many nor too heavy together. Those that
 * were not used for longest are forgotten first.
 */
export class WeighedCache<T> {
  private readonly cache: LRUCache<string, Entry<T>>;
  private readonly weightOf: (value: T) => number;

  constructor({ max, maxWeight, weightOf }: Limits<T>) {
    this.weightOf = weightOf;
    this.cache = new LRUCache({ max, maxSize: maxWeight, sizeCalculation: ({ weight }) => weight });
  }

  get(key: string): T | undefined {
    return this.cache.get(key)?.value;
  }

  /** It is not kept if it is too heavy alone. */
  set(key: string, value: T): void {
    this.cache.set(key, { value, weight: Math.ceil(this.weightOf(value)) });
  }

  has(key: string): boolean {
    return this.cache.has(key);
  }

  delete(key: string): void {
    this.cache.delete(key);
  }

  entries(): Iterable<readonly [key: string, value: T]> {
    return this.cache.entries().map(([key, { value }]) => [key, value] as const);
  }

  /** Weighs a value anew after it was used, if it is kept. */
  weigh(key: string, value: T): void {
    const entry = this.cache.peek(key);
    if (entry?.value !== value || this.weightOf(value) <= entry.weight * (1 + GROWTH)) return;
    this.set(key, value);
  }
}
