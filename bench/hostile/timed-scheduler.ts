import { performance } from 'node:perf_hooks';
import { EventLoopScheduler, Rest } from '../../src/enforcement/index.ts';

/** Measures how long a piece of work lets nothing else have its turn. */
export class TimedScheduler extends EventLoopScheduler {
  /** The time of the longest piece, in milliseconds. */
  longest = 0;

  override runSoon<T>(size: number, task: () => T | Rest<T>): T | Promise<T> {
    return super.runSoon(size, () => {
      const result = this.#timed(task);
      return result instanceof Rest ? new Rest(this.#timedSteps(result.steps)) : result;
    });
  }

  override runInSteps<T>(size: number, task: Iterator<undefined, T>): Promise<T> {
    return super.runInSteps(size, this.#timedSteps(task));
  }

  *#timedSteps<T>(steps: Iterator<undefined, T>): Generator<undefined, T> {
    for (;;) {
      const step = this.#timed(() => steps.next());
      if (step.done === true) return step.value;
      yield;
    }
  }

  #timed<T>(piece: () => T): T {
    const begun = performance.now();
    try {
      return piece();
    } finally {
      this.longest = Math.max(this.longest, performance.now() - begun);
    }
  }
}
