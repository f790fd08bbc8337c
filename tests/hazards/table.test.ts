import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';

const README = path.resolve('tests/hazards/README.md');

interface Row {
  /** What it is about. */
  readonly hazard: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

function rowsOf(markdown: string): readonly Row[] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const [, part = '', hazard = '', heldBy = ''] = line.split('|').map((cell) => cell.trim());
    return { hazard: `${part}: ${hazard}`, tests: heldBy.split('<br>').map(testNamed) };
  });
}

function testNamed(text: string) {
  const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/u.exec(text) ?? [];
  return { file, title };
}

const ROWS = rowsOf(readFileSync(README, 'utf8'));

describe('a hazard is held by tests that are there', () => {
  test.each(ROWS)('$hazard', ({ tests }) => {
    for (const { file, title } of tests) {
      expect(title).not.toBe('');
      expect(readFileSync(path.resolve('tests', file), 'utf8').replaceAll("\\'", "'")).toContain(title);
    }
  });
});
