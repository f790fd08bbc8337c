import { expect, test } from '@jest/globals';
import { scan, TOP } from '../../src/core/index.ts';
import { readParameters } from '../../src/enforcement/parameters.ts';

test.each([
  ['maskString', '7', 'string'],
  ['maskString', '12345678901234567890', 'string'],
  ['root', '1.10', 'string'],
  ['filter', '1e400', 'boolean'],
])('a number in place of a parameter is called a number: %s %s', (name, number, expected) => {
  const doc = scan(Buffer.from(`{"${name}":${number}}`), 10);
  expect(readParameters({ doc, node: TOP })).toEqual({
    problems: [
      {
        pointer: `/parameters/${name}`,
        detail: `Invalid input: expected ${expected}, received number.`,
      },
    ],
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
