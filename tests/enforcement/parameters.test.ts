import { expect, test } from '@jest/globals';
import { scan, TOP } from '../../src/core/index.ts';
import { readParameters } from '../../src/enforcement/parameters.ts';

test.each([
  ['root', '7', 'a string'],
  ['maskString', '12345678901234567890', 'a string'],
  ['maskString', 'null', 'a string'],
  ['maskString', `"${'x'.repeat(257)}"`, 'a string of at most 256 characters'],
  ['assetType', '""', 'a string that is not empty'],
  ['protectedObject', '[]', 'a string'],
  ['filter', '1e400', 'true or false'],
  ['FILTER', '"true"', 'true or false'],
  ['calculationType', '"contxt"', 'resolution or context'],
  ['calculationType', '1.10', 'resolution or context'],
])('what a parameter has to be is said in plain words: %s %s', (name, value, expected) => {
  const doc = scan(Buffer.from(`{"${name}":${value}}`), 10);
  expect(readParameters({ doc, node: TOP })).toEqual({
    problems: [{ pointer: `/parameters/${name}`, detail: `It has to be ${expected}.` }],
  });
});

test('a parameter named like a member of the prototype is unknown', () => {
  const doc = scan(Buffer.from('{"__proto__":{"filter":true},"constructor":1}'), 10);
  expect(readParameters({ doc, node: TOP })).toEqual({
    problems: ['__proto__', 'constructor'].map((name) => ({
      pointer: `/parameters/${name}`,
      detail: 'Unknown.',
    })),
  });
});
