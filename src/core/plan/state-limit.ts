import type { Plan } from './plan.ts';

/** How many states a payload may lead to. What rules write out leads to a few each; the rest is for names that conditions look at. */
export const MOST_STATES = { least: 1024, perMegabyte: 64, perWritten: 2 };
const MEGABYTE = 1024 * 1024;

/** A payload leads a decision to too many states. */
export class TooManyStatesError extends Error {
  override readonly name = 'TooManyStatesError';
}

/**
 * Bounds to how many states of a plan one payload leads: each combination of conditions that its names meet is one, and takes a
 * hundred times as long as a value does. Payloads lead to some dozens of them, as a rule.
 */
export class StateLimit {
  private readonly plan: Pick<Plan, 'madeStates'>;
  private readonly most: number;

  /** @param size of the payload, in bytes */
  constructor(plan: Pick<Plan, 'madeStates' | 'writtenCount'>, size: number) {
    const { least, perMegabyte, perWritten } = MOST_STATES;
    const most = least + perMegabyte * (size / MEGABYTE) + perWritten * plan.writtenCount;
    this.plan = plan;
    this.most = plan.madeStates + most;
  }

  /** @throws TooManyStatesError if the payload has led to more */
  check(): void {
    if (this.plan.madeStates > this.most) throw new TooManyStatesError();
  }
}
