import { existsSync } from 'node:fs';
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

function targetOf(link: string, from: string): string {
  const [target = ''] = link.split('#');
  return target === '' ? from : path.join(path.dirname(from), decodeURIComponent(target));
}
