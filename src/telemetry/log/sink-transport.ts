import { Writable } from 'node:stream';
import type { Delivery } from './delivery.ts';

/** Under which winston has the line of an entry. */
const LINE = Symbol.for('message');

/** What winston writes to: it delivers each line at once. */
export class SinkTransport extends Writable {
  readonly #delivery: Delivery;

  constructor(delivery: Delivery) {
    super({ objectMode: true });
    this.#delivery = delivery;
  }

  /** winston asks for the method; the stream calls it, too. */
  log(entry: { readonly [LINE]: string }, done: () => void): void {
    this.#delivery.write(entry[LINE]);
    done();
  }

  override _write(entry: { readonly [LINE]: string }, _encoding: unknown, done: () => void): void {
    this.log(entry, done);
  }
}
