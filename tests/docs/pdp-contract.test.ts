import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { forwardedHeaders } from '../../src/places/listener/forwarded-headers.ts';
import { rowsUnder } from './markdown.ts';

const PAGE = readFileSync('docs/pdp-contract.md', 'utf8');

describe('docs/pdp-contract.md', () => {
  const names = rowsUnder(PAGE, 'Not forwarded', 'Why').flatMap(({ cells }) =>
    [...(cells[0] ?? '').matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name),
  );

  test('names headers that are not forwarded', () => {
    expect(names).toHaveLength(19);
  });

  test.each(names)('is right that %s is not forwarded', (name) => {
    const spelt = name.replace('*', 'Anything');
    expect(forwardedHeaders([spelt, 'x', 'X-Other', 'y'])).toEqual([['X-Other', 'y']]);
  });

  test('is right about what Connection names, and about names that only look alike', () => {
    expect(forwardedHeaders(['Connection', 'X-Once', 'X-Once', '1', 'Content_Type', '2'])).toEqual([
      ['Content_Type', '2'],
    ]);
  });
});
