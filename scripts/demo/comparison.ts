import type { OutlineLine } from './outline.ts';

/** What became of a line: masked or changed, inserted, removed, or nothing. */
export type Mark = '~' | '+' | '-' | ' ';

interface Cell {
  readonly text: string;
  readonly mark: Mark;
}

/** A line of the payload beside what became of it in each answer. */
export interface Row {
  readonly before: string;
  readonly after: readonly Cell[];
}

type Lines = readonly OutlineLine[];

/** Sets the lines of a payload and of several answers beside each other. */
export function compare(before: Lines, answers: readonly Lines[]): readonly Row[] {
  const original = textsByKey(before);
  const after = answers.map(textsByKey);
  return keysInOrder([before, ...answers]).map((key) => ({
    before: original.get(key) ?? '',
    after: after.map((texts) => cellOf(original.get(key), texts.get(key))),
  }));
}

function textsByKey(lines: Lines): ReadonlyMap<string, string> {
  return new Map(lines.map(({ key, text }) => [key, text]));
}

/** The keys of the first version, each that only another one has behind the key that it follows there. */
function keysInOrder(versions: readonly Lines[]): readonly string[] {
  const keys: string[] = [];
  for (const lines of versions) {
    for (const [i, { key }] of lines.entries()) {
      if (!keys.includes(key)) keys.splice(keys.indexOf(lines[i - 1]?.key ?? '') + 1, 0, key);
    }
  }
  return keys;
}

function cellOf(before: string | undefined, after: string | undefined): Cell {
  return { text: after ?? '', mark: markOf(before, after) };
}

/** A comma comes and goes with what stands behind it: it is no change. */
function markOf(before: string | undefined, after: string | undefined): Mark {
  if (after === undefined) return before === undefined ? ' ' : '-';
  if (before === undefined) return '+';
  return before.replace(/,$/u, '') === after.replace(/,$/u, '') ? ' ' : '~';
}
