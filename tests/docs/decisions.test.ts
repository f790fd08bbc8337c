import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { linksIn } from './pages.ts';

const FOLDER = 'docs/decisions';
const INDEX = path.join(FOLDER, 'README.md');

const pages = readdirSync(FOLDER)
  .filter((name) => name !== 'README.md')
  .toSorted();

describe('the decisions', () => {
  test('are all in the index, in order', () => {
    expect(linksIn(INDEX)).toEqual(pages);
  });

  test('are numbered without a gap', () => {
    const numbers = pages.map((name) => Number(name.slice(0, 4)));
    expect(numbers).toEqual(numbers.map((_number, i) => i + 1));
  });

  test.each(pages)('say in %s what led to them, what they are and what follows', (name) => {
    const page = readFileSync(path.join(FOLDER, name), 'utf8');
    const headings = [...page.matchAll(/^#+ .*$/gmu)].map(([heading]) => heading);
    expect(headings).toEqual([
      expect.stringMatching(new RegExp(`^# ${name.slice(0, 4)}: `, 'u')),
      '## Context',
      '## Decision',
      '## Consequences',
    ]);
  });
});
