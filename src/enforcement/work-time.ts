import { now } from './clock.ts';
import type { TracedPart } from './ports.ts';

/** How long a step takes, about, in milliseconds. */
const STEP = 1;

/** How long an enforcement works, without its pauses, and whether a step of it has taken long enough. */
export class WorkTime {
  readonly #part: TracedPart | undefined;
  /** Milliseconds, of the steps that are over. */
  #worked = 0;
  /** When the step began; undefined if nobody has asked yet. */
  #begun: number | undefined;

  /**
   * @param part of the trace, which ends with the work
   * @param isAsked whether somebody asks how long it took: to read the clock takes a few percent of the time of a small payload
   */
  constructor(part: TracedPart | undefined, isAsked: boolean) {
    this.#part = part;
    this.#begun = isAsked || part !== undefined ? now() : undefined;
  }

  /** Whether the step has taken long enough. */
  isLate(): boolean {
    const time = now();
    this.#begun ??= time;
    return time - this.#begun >= STEP;
  }

  pause(): void {
    this.#worked = this.worked();
  }

  /** Begins the next step. */
  resume(): void {
    this.#begun = now();
  }

  end(): void {
    this.#part?.end(this.worked());
  }

  fail(): void {
    this.#part?.fail(this.worked());
  }

  /** How long it took so far, in milliseconds; 0 if nobody asked. Not for a pause. */
  worked(): number {
    return this.#worked + (this.#begun === undefined ? 0 : now() - this.#begun);
  }
}
