import { globSync, readFileSync } from 'node:fs';
import { proseOf } from './markdown.ts';

const NOT_OURS = new Set(['node_modules', 'dist', 'build', 'coverage', '.git', '.tools']);

/** Every Markdown file of the project, by its path. */
export function markdownFiles(): readonly string[] {
  return globSync('**/*.md', { exclude: (entry) => NOT_OURS.has(entry) }).toSorted();
}

/** Where the links of a page lead, in its own words. */
export function linksIn(file: string): readonly string[] {
  const text = proseOf(readFileSync(file, 'utf8'))
    .join('\n')
    .replaceAll(/`[^`\n]*`/gu, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]:\s+(\S+)/gmu)].map(
    ([, inline, defined = '']) => inline ?? defined,
  );
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsIn(file: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const line of proseOf(readFileSync(file, 'utf8'))) {
    const heading = /^#+ +(.+)$/u.exec(line)?.[1];
    if (heading === undefined) continue;
    const anchor = slug(heading);
    const isTaken = anchors.has(anchor);
    anchors.add(
      isTaken ? `${anchor}-${[...anchors].filter((one) => one.startsWith(anchor)).length}` : anchor,
    );
  }
  return anchors;
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/gu, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/gu, '-');
}
