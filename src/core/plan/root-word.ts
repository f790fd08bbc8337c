import type { Frame } from './frame.ts';

/** How many steps have been taken on a way, as far as the root word matters. */
export interface Way {
  readonly length: 0 | 1 | 2;
}

/** Whether a way is still at the object around the payload, which the payload does not contain: its property is the root word. */
export function isAboveWord({ length }: Way, { rootWord }: Frame): boolean {
  return length === 0 && rootWord !== undefined;
}

/** Whether a way is at the payload, or above it. */
export function isAtPayload({ length }: Way, { rootWord }: Frame): boolean {
  return length === 0 || (length === 1 && rootWord !== undefined);
}

interface Followed<T> {
  to(name: string): T;
  atSoleElement(): T;
}

/** What is followed from the object around the payload on, at the payload: that object has no property besides the root word. */
export function behindWord<T extends Followed<T>>(top: T, { rootWord }: Frame): T {
  if (rootWord === undefined) return top;
  return (rootWord === '#' ? top : top.atSoleElement()).to(rootWord);
}
