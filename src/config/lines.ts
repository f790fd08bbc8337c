import type { Problem, YamlFile } from '../yaml/index.ts';

type Lines = YamlFile['lines'];

/** A problem with the line of its key, or of what needs that. */
export function withLine(problem: Problem, lines: Lines): Problem {
  const { key, neededBy = '' } = problem;
  const line = problem.line ?? lineFor(key, lines) ?? lineFor(neededBy, lines);
  return line === undefined ? problem : { ...problem, line };
}

/** The line of a key; if the file lacks it, that of the innermost group that it belongs in, or of another key of that. */
function lineFor(key: string, lines: Lines): number | undefined {
  const line = lines.get(key);
  if (line !== undefined || !key.includes('.')) return line;
  const group = key.slice(0, key.lastIndexOf('.'));
  const flat = [...lines.keys()].find((other) => other.startsWith(`${group}.`));
  return lineFor(group, lines) ?? (flat === undefined ? undefined : lines.get(flat));
}
