import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import _ from 'lodash';
import { importsOfSource, type Import } from '../../scripts/imports/imports.ts';

const PAGE = readFileSync('docs/architecture.md', 'utf8');
const IMPORTS = importsOfSource();

/** The folder directly in `src/` that a file is in; undefined for `main.ts` and the small files beside it. */
function folderOf(file: string): string | undefined {
  return /^src\/([^/]+)\//u.exec(file)?.[1];
}

function arrowOf({ from, to }: Import): readonly string[] {
  const [source, target] = [folderOf(from), folderOf(to)];
  return source === undefined || target === undefined || source === target ? [] : [`${source} --> ${target}`];
}

/** A file of the path of a request, and the one that it is indented under. */
function pathOfRequest(): readonly { readonly file: string; readonly above: string | undefined }[] {
  const above: string[] = [];
  return Array.from(PAGE.matchAll(/^( *)(src\/\S+\.ts) {2,}\S/gmu), ([, indent = '', file = '']) => {
    const depth = indent.length / 2;
    above.splice(depth, above.length, file);
    return { file, above: above[depth - 1] };
  });
}

function importedBy(files: readonly string[]): readonly string[] {
  return IMPORTS.filter(({ from }) => files.includes(from)).map(({ to }) => to);
}

/** The files that a file imports, directly or through one other, such as the `index.ts` of a folder. */
function reachedFrom(file: string): ReadonlySet<string> {
  const direct = importedBy([file]);
  return new Set([...direct, ...importedBy(direct)]);
}

describe('the drawings of the architecture', () => {
  test('show the imports between folders, all of them and no others', () => {
    const drawn = Array.from(PAGE.matchAll(/^ {2}([\w-]+ --> [\w-]+)$/gmu), ([, arrow]) => arrow);
    expect(_.sortBy(drawn)).toEqual(_.sortBy(_.uniq(IMPORTS.flatMap(arrowOf))));
  });

  test('show files that exist', () => {
    const named = Array.from(PAGE.matchAll(/src\/[\w./-]+/gu), ([name]) => name.replace(/[.,]$/u, ''));
    expect(named.filter((name) => !existsSync(name))).toEqual([]);
  });

  test('show the path of a request as the files import each other', () => {
    const steps = pathOfRequest();
    expect(steps.length).toBeGreaterThan(15);
    const unreached = steps.filter(({ file, above }) => above !== undefined && !reachedFrom(above).has(file));
    expect(unreached).toEqual([]);
  });
});
