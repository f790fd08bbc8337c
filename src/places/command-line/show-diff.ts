import type { JsonPart } from '../../core/index.ts';
import { diffLines, type DiffRun } from './diff.ts';
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
export function* wholeDiff(before: JsonPart, after: JsonPart): Generator<string, void> {
  const lines = linesOf(before, after);
  for (const run of diffLines(lines.before, lines.after)) yield* marked(run, lines);
}

/** The lines that differ, with some around them, in the unified format; none if nothing differs. */
export function* unifiedDiff(before: JsonPart, after: JsonPart): Generator<string, void> {
  const lines = linesOf(before, after);
  for (const hunk of hunksIn(diffLines(lines.before, lines.after))) {
    yield header(hunk);
    for (const run of hunk.runs) yield* marked(run, lines);
  }
}

/** The lines of two payloads. */
interface Lines {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function linesOf(before: JsonPart, after: JsonPart): Lines {
  return { before: prettyLines(before), after: prettyLines(after) };
}

function* marked({ mark, from, to }: DiffRun, { before, after }: Lines): Generator<string, void> {
  const lines = mark === '-' ? before : after;
  for (let at = from; at < to; at++) yield mark + (lines[at] ?? '');
}

/** Changes with the lines around them, and how many lines of both payloads come before. */
interface Hunk {
  readonly before: number;
  readonly after: number;
  readonly runs: DiffRun[];
}

function hunksIn(runs: readonly DiffRun[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let open: Hunk | undefined;
  let before = 0;
  let after = 0;
  for (const [at, run] of runs.entries()) {
    if (run.mark === ' ') {
      const isBetween = open !== undefined && at + 1 < runs.length && lengthOf(run) <= 2 * CONTEXT;
      open?.runs.push(isBetween ? run : { ...run, to: Math.min(run.to, run.from + CONTEXT) });
      if (!isBetween) open = undefined;
    } else {
      if (open === undefined) hunks.push((open = beginning(runs[at - 1], before, after)));
      open.runs.push(run);
    }
    if (run.mark !== '+') before += lengthOf(run);
    if (run.mark !== '-') after += lengthOf(run);
  }
  return hunks;
}

/** A hunk with the last of the unchanged lines before it, if there are any. */
function beginning(unchanged: DiffRun | undefined, before: number, after: number): Hunk {
  if (unchanged === undefined) return { before, after, runs: [] };
  const context = { ...unchanged, from: Math.max(unchanged.from, unchanged.to - CONTEXT) };
  const length = lengthOf(context);
  return { before: before - length, after: after - length, runs: [context] };
}

function header({ before, after, runs }: Hunk): string {
  return `@@ -${range(before, runs, '+')} +${range(after, runs, '-')} @@`;
}

/** Lines count from 1; an empty range names the line before it. */
function range(before: number, runs: readonly DiffRun[], without: DiffRun['mark']): string {
  const counted = runs.filter(({ mark }) => mark !== without);
  const count = counted.reduce((sum, run) => sum + lengthOf(run), 0);
  return `${count === 0 ? before : before + 1},${count}`;
}

function lengthOf({ from, to }: DiffRun): number {
  return to - from;
}
