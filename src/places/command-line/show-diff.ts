import type { JsonPart } from '../../core/index.ts';
import { diffLines, type DiffLine } from './diff.ts';
import { writePretty } from './pretty.ts';

/** Lines around a change that are shown with it. */
const CONTEXT = 3;

/** The indented lines of a value. */
export function prettyLines(part: JsonPart): string[] {
  const lines: string[] = [];
  writePretty(part, (line) => lines.push(line));
  return lines;
}

/** All lines of two payloads, each with its mark. */
export function wholeDiff(before: JsonPart, after: JsonPart): readonly string[] {
  return diffLines(prettyLines(before), prettyLines(after)).map(marked);
}

/** The lines that differ, with some around them, in the unified format; none if nothing differs. */
export function unifiedDiff(before: JsonPart, after: JsonPart): readonly string[] {
  const lines = diffLines(prettyLines(before), prettyLines(after));
  return hunksIn(lines).flatMap((hunk) => {
    const shown = lines.slice(hunk.from, hunk.to);
    return [header(hunk, shown)].concat(shown.map(marked));
  });
}

function marked({ mark, text }: DiffLine): string {
  return mark + text;
}

/** Lines of a diff from one index to another, and how many lines of both payloads come before. */
interface Hunk {
  readonly from: number;
  to: number;
  readonly before: number;
  readonly after: number;
}

function hunksIn(lines: readonly DiffLine[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let before = 0;
  let after = 0;
  lines.forEach(({ mark }, at) => {
    if (mark !== ' ') extend(hunks, at, { before, after }, lines.length);
    if (mark !== '+') before++;
    if (mark !== '-') after++;
  });
  return hunks;
}

/** Adds a change to the last hunk, or begins one that has nothing but unchanged lines before the change. */
function extend(hunks: Hunk[], at: number, start: Pick<Hunk, 'before' | 'after'>, length: number): void {
  const last = hunks.at(-1);
  const to = Math.min(at + CONTEXT + 1, length);
  if (last !== undefined && at - CONTEXT <= last.to) {
    last.to = to;
    return;
  }
  const context = Math.min(CONTEXT, at);
  hunks.push({ from: at - context, to, before: start.before - context, after: start.after - context });
}

function header({ before, after }: Pick<Hunk, 'before' | 'after'>, lines: readonly DiffLine[]): string {
  const linesBefore = lines.filter(({ mark }) => mark !== '+').length;
  const linesAfter = lines.filter(({ mark }) => mark !== '-').length;
  return `@@ -${range(before, linesBefore)} +${range(after, linesAfter)} @@`;
}

/** Lines count from 1; an empty range names the line before it. */
function range(before: number, count: number): string {
  return `${count === 0 ? before : before + 1},${count}`;
}
