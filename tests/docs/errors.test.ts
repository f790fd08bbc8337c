import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ERROR_CATALOGUE } from '../../src/errors.ts';

const PAGE = readFileSync('docs/errors.md', 'utf8');
const ENTRY = /^### `([a-z-]+)`\n\n\*\*(\d{3})\*\* (.+)\n\n- When: [\s\S]+?\n- Do: /gmu;

function documented() {
  return [...PAGE.matchAll(ENTRY)].map(([, code = '', status, title]) => [
    code,
    { status: Number(status), title },
  ]);
}

describe('docs/errors.md', () => {
  test('has every error of the catalogue, and no other, with its status and title', () => {
    expect(Object.fromEntries(documented())).toEqual(ERROR_CATALOGUE);
  });

  test('has each error once, with when it comes and what to do', () => {
    const headings = [...PAGE.matchAll(/^### /gmu)];
    expect(documented()).toHaveLength(headings.length);
    expect(documented()).toHaveLength(Object.keys(ERROR_CATALOGUE).length);
  });
});
