import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rowsUnder } from './markdown.ts';

const PAGE = readFileSync('docs/threat-model.md', 'utf8');

/** The rows of every table of guarantees. */
const GUARANTEES = PAGE.split('\n')
  .filter((line) => line.startsWith('|') && /\.test\.ts`: /u.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

function testsIn(cell: string): readonly (readonly [file: string, title: string])[] {
  return cell.split('<br>').map((named) => {
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/u.exec(named) ?? [];
    return [file, title];
  });
}

describe('the threat model', () => {
  test.each(GUARANTEES.map(([, guarantee = '', verified = '']) => [guarantee, verified]))(
    'names tests that are there: %s',
    (_, verified) => {
      for (const [file, title] of testsIn(verified)) {
        expect(title).not.toBe('');
        expect(readFileSync(path.resolve('tests', file), 'utf8').replaceAll(String.raw`\'`, "'")).toContain(
          title,
        );
      }
    },
  );

  test('has no guarantee without a test', () => {
    const tables = PAGE.split('| Guarantee').slice(1);
    const rows = tables.flatMap((table) => table.split('\n\n')[0]?.split('\n').slice(2) ?? []);
    expect(rows.length).toBe(GUARANTEES.length);
    expect(rows.length).toBeGreaterThan(20);
  });

  test('says of every mask what it reveals', () => {
    const masks = readFileSync('docs/masks.md', 'utf8');
    const known = [
      ...((masks.split('## Choose a mask')[1] ?? '').split('\n\n')[1]?.matchAll(/^\| (`[^|]*`) +\|/gmu) ??
        []),
    ];
    const described = new Set(
      rowsUnder(PAGE, 'Mask', 'A reader still learns').map(({ cells: [mask = ''] }) => mask),
    );
    expect(known.length).toBeGreaterThan(10);
    expect(known.map(([, mask]) => mask?.trim()).filter((mask) => !described.has(mask ?? ''))).toEqual([]);
  });
});
