import type { Step } from '../paths/route.ts';

/** What a part of a property's path ends at. */
export interface PartEnd {
  /** Whether it is an object, which `#` matches as a list of one. */
  readonly isObject: boolean;
  /** Whether nothing is there yet. */
  readonly isAbsent: boolean;
}

/** How far the values of one leaf have come along a part of a property's path. */
export interface Match {
  /** Another one for each match. */
  readonly number: number;
  /** The same for those that go on alike. */
  readonly key: string;
  to(step: Step): Match;
  /** Whether the positive counterpart of the leaf holds if the part ends here. */
  fits(end: PartEnd): boolean;
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
