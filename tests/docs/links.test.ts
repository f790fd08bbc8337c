import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { anchorsIn, linksIn, markdownFiles } from './pages.ts';

const EXTERNAL = /^(?:https?|mailto):/u;

describe.each(markdownFiles())('%s', (file) => {
  const relative = linksIn(file).filter((link) => !EXTERNAL.test(link));

  test('links only to files that are there', () => {
    const missing = relative.filter((link) => !existsSync(targetOf(link, file)));
    expect(missing).toEqual([]);
  });

  test('links only to headings that are there', () => {
    const missing = relative.filter((link) => {
      const [, anchor] = link.split('#');
      const target = targetOf(link, file);
      return anchor !== undefined && existsSync(target) && !anchorsIn(target).has(anchor);
    });
    expect(missing).toEqual([]);
  });
});

test('comments in the code name only pages and headings that are there', () => {
  const links = globSync('{src,tests}/**/*.ts').flatMap((file) => pagesNamedIn(file));
  const missing = links.filter((link) => {
    const [page = '', anchor] = link.split('#');
    return !existsSync(page) || (anchor !== undefined && !anchorsIn(page).has(anchor));
  });
  expect(links.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

/** Pages of the documentation, such as `docs/enforcement.md#filter`. */
function pagesNamedIn(file: string): readonly string[] {
  return readFileSync(file, 'utf8').match(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/gu) ?? [];
}

function targetOf(link: string, from: string): string {
  const [target = ''] = link.split('#');
  return target === '' ? from : path.join(path.dirname(from), decodeURIComponent(target));
}
