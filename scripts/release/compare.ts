import { filesOf, readChecksums } from './checksums.ts';

/** The files that are not the same in two builds of a release. */
export function differences(one: string, other: string): readonly string[] {
  const [first, second] = [linesOf(one), linesOf(other)];
  const names = new Set([...filesOf(one), ...filesOf(other)]);
  return [...names].filter((name) => first.get(name) !== second.get(name)).toSorted();
}

/** Checksums by file. */
function linesOf(folder: string): ReadonlyMap<string, string> {
  const lines = readChecksums(folder).split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}
