import process from 'node:process';
import { jest } from '@jest/globals';
import { EventLoopScheduler, Rest } from '../../src/enforcement/index.ts';

/** From now on, each look at the clock is a millisecond after the one before, until all mocks are restored. */
export function passTime(): void {
  let milliseconds = 0;
  const later = (): [number, number] => [Math.floor(++milliseconds / 1000), (milliseconds % 1000) * 1e6];
  const { hrtime } = process;
  const bigint = (): bigint => hrtime.bigint();
  jest.spyOn(process, 'hrtime').mockImplementation(Object.assign(later, { bigint }));
}

/** Stops the clock until all mocks are restored. @returns what sets it on by so many milliseconds */
export function stopTime(): (later: number) => void {
  let milliseconds = 0;
  const { hrtime } = process;
  const time = (): [number, number] => [Math.floor(milliseconds / 1000), (milliseconds % 1000) * 1e6];
  const bigint = (): bigint => hrtime.bigint();
  jest.spyOn(process, 'hrtime').mockImplementation(Object.assign(time, { bigint }));
  return (later) => void (milliseconds += later);
}

/** Counts the steps of tasks that go on in steps. */
export class CountingScheduler extends EventLoopScheduler {
  steps = 0;
  readonly #afterStep: () => void;

  constructor(afterStep = (): void => undefined) {
    super();
    this.#afterStep = afterStep;
  }

  override runSoon<T>(size: number, task: () => T | Rest<T>): T | Promise<T> {
    return super.runSoon(size, () => {
      const result = task();
      return result instanceof Rest ? new Rest(this.#counted(result.steps)) : result;
    });
  }

  override runInSteps<T>(size: number, task: Iterator<undefined, T>): Promise<T> {
    return super.runInSteps(size, this.#counted(task));
  }

  *#counted<T>(task: Iterator<undefined, T>): Generator<undefined, T> {
    for (;;) {
      this.steps++;
      const step = task.next();
      this.#afterStep();
      if (step.done === true) return step.value;
      yield;
    }
  }
}
