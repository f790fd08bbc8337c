import type { Condition } from '../conditions/condition.ts';

/** The most alternatives that a condition is taken apart into; a tree of more stays whole. */
const MAX_ALTERNATIVES = 256;

/**
 * Takes a condition apart into alternatives of which any may hold, so that each can be about properties of its own. What
 * says nothing of property names stays in one piece.
 */
export function alternativesOf(condition: Condition): readonly Condition[] {
  if (condition.kind === 'leaf' || !mentionsNames(condition)) return [condition];
  if (condition.kind === 'any') return condition.of.flatMap(alternativesOf);
  return distributed(condition.of.map(alternativesOf)) ?? [condition];
}

/** All ways to take one alternative of each part. */
function distributed(parts: readonly (readonly Condition[])[]): readonly Condition[] | undefined {
  if (parts.reduce((count, part) => count * part.length, 1) > MAX_ALTERNATIVES) return undefined;
  const ways = parts.reduce<readonly (readonly Condition[])[]>(
    (before, part) => before.flatMap((way) => part.map((one) => [...way, one])),
    [[]],
  );
  return ways.map((of) => ({ kind: 'all', of }));
}

function mentionsNames(condition: Condition): boolean {
  return condition.kind === 'leaf' ? condition.subject !== 'record' : condition.of.some(mentionsNames);
}
