import type { StateLimit } from '../plan/state-limit.ts';

/** How much is done before the clock is read, in words of the tape: less than a tenth of a millisecond of most payloads. */
const WORDS_PER_LOOK = 4096;

/** What a value may take that is looked at by itself, in words: most take much less, those of costly decisions more. */
export const VALUE_WORDS = 16;

/** What somebody has done so far, about, in words of the tape. */
interface Effort {
  readonly effort: number;
}

/** Ends a step of the walk, in the middle of a record if need be, and knows what is left for the next one. */
export class Pace {
  /** Whether the step is over: each loop of the walk then passes its rest to {@link later}, innermost first, and returns. */
  isOver = false;
  private readonly isLate: () => boolean;
  private readonly plan: Effort;
  private readonly witness: Effort | undefined;
  private readonly states: StateLimit;
  /** The effort of others so far. */
  private effort: number;
  private wordsToLook = WORDS_PER_LOOK;
  private left: (() => void)[] = [];

  /**
   * @param plan what the walk follows
   * @param witness what follows the walk
   * @param states how many the plan may make
   * @param isLate whether the step has taken long enough
   */
  constructor(plan: Effort, witness: Effort | undefined, states: StateLimit, isLate: () => boolean) {
    this.plan = plan;
    this.witness = witness;
    this.states = states;
    this.effort = this.effortOfOthers();
    this.isLate = isLate;
  }

  /**
   * @param words what was done, about, in words of the tape, besides what others did for it
   * @throws TooManyStatesError
   */
  spend(words: number): void {
    const effort = this.effortOfOthers();
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

  private effortOfOthers(): number {
    return this.witness === undefined ? this.plan.effort : this.plan.effort + this.witness.effort;
  }

  private look(): void {
    this.wordsToLook = WORDS_PER_LOOK;
    this.states.check();
    if (this.isLate()) this.isOver = true;
  }
}
