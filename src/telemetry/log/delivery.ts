import { now } from './clock.ts';
import type { LogFormat } from './level.ts';
import { RENDERERS } from './render.ts';
import type { LogSink } from './sink.ts';

/**
 * Hands each line to a sink at once. If lines were lost and later ones got through, a notice follows, so that the log itself shows
 * the gap.
 */
export class Delivery {
  readonly #sink: LogSink;
  readonly #format: LogFormat;
  #reported = 0;
  #seen = 0;

  constructor(sink: LogSink, format: LogFormat) {
    this.#sink = sink;
    this.#format = format;
  }

  write(line: string): void {
    this.#reportLoss();
    this.#sink.write(line);
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

  #notice(lost: number): string {
    const message = 'Log entries lost';
    const fields = { lostSinceStart: lost };
    return RENDERERS[this.#format]({ time: now(), level: 'warn', message, context: {}, fields });
  }
}
