/** A replacement of a part of a text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** So much is compared at once, in UTF-16 units. */
const STEP = 512;

/**
 * The change that makes one text of another and touches the least, so that an editor keeps its place.
 *
 * @returns undefined if the texts are the same
 */
export function leastChange(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from + STEP <= shorter && before.startsWith(after.slice(from, from + STEP), from)) from += STEP;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  const most = shorter - from;
  while (same + STEP <= most && tail(before, same) === tail(after, same)) same += STEP;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

/** A step of a text, before so much of its end. */
function tail(text: string, end: number): string {
  return text.slice(text.length - end - STEP, text.length - end);
}
