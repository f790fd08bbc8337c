/** A replacement of a part of a text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/**
 * The change that makes one text of another and touches the least, so that an editor keeps its place.
 *
 * @returns undefined if the texts are the same
 */
export function leastChange(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
