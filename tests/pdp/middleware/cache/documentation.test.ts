import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { keyOf } from '../../../../src/pdp/middleware/cache/key.ts';
import { question } from '../../transport/setup.ts';
import { PER_REQUEST } from './questions.ts';

test('docs/asking-the-pdp.md lists the fields that are left out of the key, and no others', () => {
  const page = readFileSync('docs/asking-the-pdp.md', 'utf8');
  const listed = [...page.matchAll(/^- `(.+)`$/gm)].map(([, name]) => name ?? '');
  expect(listed).toEqual(PER_REQUEST);
  for (const name of listed) expect(keyOf(question({ headers: [[name, 'a']] }))).toBe(keyOf(question()));
});
