/**
 * What is under way at a time. A `Set` serves worse for what comes and goes with every request: each table that it outgrows refers
 * to the next one, so that one old table keeps all that was ever added after it until the next full garbage collection.
 */
export class Roster<T> implements Iterable<T> {
  readonly #items: (T | undefined)[] = [];
  /** Indexes without an item. */
  readonly #free: number[] = [];

  get size(): number {
    return this.#items.length - this.#free.length;
  }

  /** @returns where the item is, for `delete` */
  add(item: T): number {
    const at = this.#free.pop() ?? this.#items.length;
    this.#items[at] = item;
    return at;
  }

  /** @param at what `add` returned; each is deleted once */
  delete(at: number): void {
    this.#items[at] = undefined;
    this.#free.push(at);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const item of this.#items) if (item !== undefined) yield item;
  }
}
