import type { Plan } from '../plan/plan.ts';
import type { StateLimit } from '../plan/state-limit.ts';

/** How much is done before the clock is read, in words of the tape: less than a tenth of a millisecond of most payloads. */
const WORDS_PER_LOOK = 4096;

/** What a value may take that is looked at by itself, in words: most take much less, those of costly decisions more. */
export const VALUE_WORDS = 16;

/** Ends a step of the walk, in the middle of a record if need be, and knows what is left for the next one. */
export class Pace {
  /** Whether the step is over: each loop of the walk then passes its rest to {@link later}, innermost first, and returns. */
  isOver = false;
  private readonly isLate: () => boolean;
  private readonly plan: Pick<Plan, 'effort'>;
  private readonly states: StateLimit;
  /** The plan's effort so far. */
  private effort: number;
  private wordsToLook = WORDS_PER_LOOK;
  private left: (() => void)[] = [];

  /**
   * @param states how many the plan may make
   * @param isLate whether the step has taken long enough
   */
  constructor(plan: Pick<Plan, 'effort'>, states: StateLimit, isLate: () => boolean) {
    this.plan = plan;
    this.states = states;
    this.effort = plan.effort;
    this.isLate = isLate;
  }

  /**
   * @param words what was done, about, in words of the tape, besides what the plan has found out for it
   * @throws TooManyStatesError
   */
  spend(words: number): void {
    const { effort } = this.plan;
    this.wordsToLook -= words + effort - this.effort;
    this.effort = effort;
    if (this.wordsToLook <= 0) this.look();
  }

  /** @param task goes on with the walk, and returns early if that step is over as well */
  later(task: () => void): void {
    this.left.push(task);
  }

  /** Begins a step with what the one before has left. */
  resume(): void {
    this.isOver = false;
    const { left } = this;
    this.left = [];
    let done = 0;
    while (done < left.length && !this.isOver) left[done++]!();
    this.left = [...this.left, ...left.slice(done)];
  }

  /** Whether a step has left nothing. */
  get isDone(): boolean {
    return this.left.length === 0;
  }

  private look(): void {
    this.wordsToLook = WORDS_PER_LOOK;
    this.states.check();
    if (this.isLate()) this.isOver = true;
  }
}
