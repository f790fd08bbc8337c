import _ from 'lodash';
import { now } from './clock.ts';

/** How long tasks may hold the event loop before it serves everything else, in milliseconds. One task may take longer. */
const SLICE = 5;
/**
 * Passes of the event loop that follow each millisecond of work. One pass accepts a connection (libuv accepts one at a time),
 * the next one reads and answers a short request such as a health probe. An idle pass takes microseconds.
 */
const PASSES = 1;
/** The fewest passes after a full slice. After less work one pass is enough. */
const MIN_PASSES = 3;
/** How much longer a large task waits than a small one that arrives at the same time, in milliseconds per byte. */
const PATIENCE = 200 / (1024 * 1024);

interface Task {
  /** The task that is due first runs first. Milliseconds of {@link now}. */
  readonly due: number;
  run(): void;
}

/** What is left of a task after its first step; nothing else runs before it. */
export class Rest<T> {
  readonly steps: Generator<undefined, T>;

  constructor(steps: Generator<undefined, T>) {
    this.steps = steps;
  }
}

/**
 * Shares the event loop between synchronous tasks and everything else that the process does. Masking a large payload takes
 * tens of milliseconds. If several decisions arrive together, unscheduled tasks would run back to back, and the process
 * would read and answer nothing in the meantime.
 *
 * Small tasks run before large ones, and a due time bounds the wait of each. No task runs between the steps of another one.
 */
export class EventLoopScheduler {
  readonly #waiting: Task[] = [];
  /** How long tasks have run since the event loop last served everything else, in milliseconds. */
  #spent = 0;
  #isYielding = false;
  /** Whether a task in steps runs, or a task that waited is about to. */
  #isTaken = false;
  /** Resumes the task that lets the event loop serve everything else between two steps. */
  #paused: (() => void) | undefined;

  /**
   * Runs a task: at once if no other tasks wait and the slice is not used up.
   *
   * @param size the size of its input in bytes
   * @returns its result; rejects with its error
   */
  async run<T>(size: number, task: () => T): Promise<T> {
    return this.runSoon(size, task);
  }

  /** As {@link run}; gives the result itself, or throws at once, if the task need not wait. A task may go on in steps. */
  runSoon<T>(size: number, task: () => T | Rest<T>): T | Promise<T> {
    return this.#isBusy ? this.#queue(size).then(() => this.#runNow(task)) : this.#runNow(task);
  }

  /**
   * Runs a task that yields after each few milliseconds of work, as {@link run} does. When the slice is used up, the event loop
   * serves everything else.
   */
  async runInSteps<T>(size: number, task: Iterator<undefined, T>): Promise<T> {
    if (this.#isBusy) await this.#queue(size);
    return this.#goOn(task);
  }

  async #goOn<T>(task: Iterator<undefined, T>): Promise<T> {
    this.#isTaken = true;
    try {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- a step follows the one before it
        if (this.#spent >= SLICE) await this.#pause();
        const step = this.#step(task);
        if (step.done === true) return step.value;
      }
    } finally {
      this.#leave();
    }
  }

  get #isBusy(): boolean {
    return this.#isTaken || this.#spent >= SLICE || this.#waiting.length > 0;
  }

  #runNow<T>(task: () => T | Rest<T>): T | Promise<T> {
    const start = now();
    let rest: Rest<T> | undefined;
    try {
      const result = task();
      if (!(result instanceof Rest)) return result;
      rest = result;
    } finally {
      this.#spent += now() - start;
      if (rest === undefined) this.#leave();
    }
    return this.#goOn(rest.steps);
  }

  #step<T>(task: Iterator<undefined, T>): IteratorResult<undefined, T> {
    const start = now();
    try {
      return task.next();
    } finally {
      this.#spent += now() - start;
    }
  }

  #queue(size: number): Promise<void> {
    return new Promise((run) => {
      const task = { due: now() + size * PATIENCE, run };
      this.#waiting.splice(_.sortedLastIndexBy(this.#waiting, task, 'due'), 0, task);
    });
  }

  #pause(): Promise<void> {
    return new Promise((resume) => {
      this.#paused = resume;
      this.#yield();
    });
  }

  #leave(): void {
    this.#isTaken = false;
    this.#resume();
  }

  #resume(): void {
    const paused = this.#paused;
    this.#paused = undefined;
    if (paused) paused();
    else if (!this.#isTaken && this.#spent < SLICE) this.#runNext();
    if (this.#spent > 0) this.#yield();
  }

  #runNext(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#isTaken = true;
    next.run();
  }

  /** Lets the event loop serve everything else, then resumes the waiting tasks. */
  #yield(): void {
    if (this.#isYielding) return;
    this.#isYielding = true;
    setImmediate(() => this.#pass(this.#spent < SLICE ? 0 : Math.max(MIN_PASSES, this.#spent * PASSES) - 1));
  }

  #pass(left: number): void {
    if (left > 0) {
      setImmediate(() => this.#pass(left - 1));
      return;
    }
    this.#isYielding = false;
    this.#spent = 0;
    this.#resume();
  }
}
