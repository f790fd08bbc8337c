import type { Condition } from '../conditions/condition.ts';
import type { Step } from '../paths/route.ts';
import type { Occupant } from './naming.ts';

/** What is left of rules that are followed together, for a property. */
export interface Left {
  /** What is left of that part of their conditions that says something of names. */
  readonly condition: Condition;
  /** The rules of which it is left, by their places among those that are followed together; undefined is all of them. */
  readonly rules: readonly number[] | undefined;
}

/** Makes the trails of rules that are followed together. */
export interface RuleTrails {
  /** How much those that are kept take, in bytes, roughly. */
  readonly weight: number;
  /** The trail at what the root word names or, without one, at the payload. */
  top(): RuleTrail;
}

/** How far rules that are followed together have come on the way to a property. */
export interface RuleTrail {
  /** Another one for each trail of these rules that goes on in other ways. */
  readonly number: number;
  /** Whether `#` is next, which also matches an object that has no property of that name. */
  readonly awaitsElement: boolean;
  to(step: Step): RuleTrail;
  /** The same place, as an object that has no property named `#`. */
  atSoleElement(): RuleTrail;
  /** The same place, as a root. */
  atRoot(): RuleTrail;
  /** The same place, as that of a record. */
  enterRecord(): RuleTrail;
  left(occupant: Occupant): Left;
}
