import type { Step } from '../paths/route.ts';

/** How far the values of one leaf have come along a part of a property's path. */
export interface Match {
  /** Another one for each match. */
  readonly number: number;
  /** The same for those that go on alike. */
  readonly key: string;
  to(step: Step): Match;
  /**
   * Whether the positive counterpart of the leaf holds if the part ends here.
   *
   * @param isObject whether it ends at an object, which `#` matches as a list of one
   */
  fits(isObject: boolean): boolean;
}

/** Begins matches of one leaf. */
export interface Matching {
  /** @param isAtPayload whether the part begins at the payload, which `json` may name too */
  start(isAtPayload: boolean): Match;
}

let matches = 0;

export function nextNumber(): number {
  return matches++;
}
