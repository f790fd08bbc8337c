import type { Step } from '../paths/route.ts';

/** How far the values of one leaf have come along a part of a property's path. */
export interface Match {
  /** Another one for each match. Those that go on alike are one match, as long as it is known. */
  readonly number: number;
  /** Whether `#` is next, which also matches an object that has no property of that name. */
  readonly awaitsElement: boolean;
  to(step: Step): Match;
  /** The same above the roots: what ends at an array there is about nothing in it, since rules change nothing outside the roots. */
  toAbove(step: Step): Match;
  /** The same at an object that has no property named `#`: the object is a list of one. */
  atSoleElement(): Match;
  /** The same at a root, which no wildcard names. */
  atRoot(): Match;
  /** Whether the positive counterpart of the leaf holds if the part ends here. */
  fits(): boolean;
  /** The values for which it does so, by their places. */
  found(): readonly number[];
}

/** Where a part of a property's path begins: at the payload, which `json` may name too; at the record; or behind a prefix, which it does not name. */
export type Beginning = 'payload' | 'record' | 'prefix';

/** Begins matches of one leaf. */
export interface Matching {
  start(at: Beginning): Match;
}

let matches = 0;

export function nextNumber(): number {
  return matches++;
}
