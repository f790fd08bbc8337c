import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import _ from 'lodash';
import { ERROR_TITLES } from '../../src/errors.ts';
import { ERROR_STATUS } from '../../src/places/listener/status.ts';

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
    const errors = _.mapValues(ERROR_TITLES, (title, code) => ({ title, status: _.get(ERROR_STATUS, code) }));
    expect(Object.fromEntries(documented())).toEqual(errors);
  });

  test('has each error once, with when it comes and what to do', () => {
    const headings = [...PAGE.matchAll(/^### /gmu)];
    expect(documented()).toHaveLength(headings.length);
    expect(documented()).toHaveLength(Object.keys(ERROR_TITLES).length);
  });
});
