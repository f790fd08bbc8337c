import { Writable } from 'node:stream';
import type { LogSink } from './sink.ts';

/** Under which winston has the line of an entry. */
const LINE = Symbol.for('message');

/**
 * What winston writes to: it hands each line to the sink at once. If lines were lost and later ones got through, a notice follows,
 * so that the log itself shows the gap.
 */
export class SinkTransport extends Writable {
  readonly #sink: LogSink;
  readonly #notice: (lost: number) => string;
  #reported = 0;
  #seen = 0;

  /** @param notice the line for a number of lines lost since the start */
  constructor(sink: LogSink, notice: (lost: number) => string) {
    super({ objectMode: true });
    this.#sink = sink;
    this.#notice = notice;
  }

  /** winston asks for the method; the stream calls it, too. */
  log(entry: { readonly [LINE]: string }, done: () => void): void {
    this.#reportLoss();
    this.#sink.write(entry[LINE]);
    done();
  }

  override _write(entry: { readonly [LINE]: string }, _encoding: unknown, done: () => void): void {
    this.log(entry, done);
  }

  #reportLoss(): void {
    const { lost } = this.#sink;
    // While the count still grows, the notice would be lost as well.
    if (lost > this.#reported && lost === this.#seen) {
      this.#reported = lost;
      this.#sink.write(this.#notice(lost));
    }
    this.#seen = lost;
  }
}
