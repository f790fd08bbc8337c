import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parsePartialMask } from '../../../src/core/actions/partial-mask.ts';
import { masked } from './apply.ts';

describe('a partial mask', () => {
  test.each([
    ['first(4)', '"1234567890"', '"1234******"'],
    ['middle(4)', '"1234567890"', '"***4567***"'],
    ['middle(4)', '"123456789"', '"**3456***"'],
    ['last(4)', '"1234567890"', '"******7890"'],
    ['edges(4)', '"1234567890"', '"1234**7890"'],
    ['edges(5)', '"1234567890"', '"1234567890"'],
    ['last(0)', '"abc"', '"***"'],
    ['middle(99)', '"abc"', '"abc"'],
    ['edges', '"abcdefghi"', '"abcd*fghi"'],
    ['last(2, ")', '"abc"', '"\\"bc"'],
    ['last(2, é)', '"abc"', '"ébc"'],
    ['last(, #)', '"abcdef"', '"##cdef"'],
    ['last(2)', '"a\\u0041bc"', '"**bc"'],
    ['first(1)', '"👍🏽abc"', '"👍🏽***"'],
    ['last(1)', '"abcé"', '"***é"'],
    ['last(1)', '"ab\\ud800"', '"**\\ud800"'],
    ['last(4)', '""', '""'],
    ['first(4)', '1234567890', '1234999999'],
    ['last(2)', '-1234.56', '-9999.56'],
    ['last(2)', '1.5e10', '1.5e10'],
    ['last(1)', '1.25e-7', '9.95e-7'],
    ['last(1)', '1.25E+7', '9.95E+7'],
    ['last(4,0)', '1234567890', '7890'],
    ['last(1,0)', '-120', '-0'],
    ['last(1,0)', '10.5', '0.5'],
    ['first(1,0)', '0.05', '0.00'],
    ['first(2, x)', '123', '129'],
    ['last(3)', '12345678901234567890123', '99999999999999999999123'],
    ['last(4)', 'true', 'null'],
    ['last(4)', '{"a":1}', 'null'],
    ['last(4)', '[]', 'null'],
    ['last(4)', 'null', 'null'],
  ])('%s makes of %s %s', (action, json, expected) => {
    expect(masked(action, json)).toBe(expected);
  });

  test('is the same whether the value was escaped or not', () => {
    const action = fc.constantFrom(
      'first',
      'middle(2)',
      'last3',
      'edges(1, #)',
      'last(99999999999999999999)',
    );
    const anyText = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.string({ unit: fc.constantFrom('a', '~', '\u007f', 'é', '中'), maxLength: 20 }),
    );
    fc.assert(
      fc.property(action, anyText, (mask, text) => {
        const units = Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
        const result: unknown = JSON.parse(masked(mask, JSON.stringify(text)));
        expect(JSON.parse(masked(mask, `"${units.join('')}"`))).toBe(result);
      }),
    );
  });

  test.each(['MASK', 'last-4', 'last(-1)', 'last(4, ab)', 'last(4,)', 'last(a)', 'latest', 'last(4', ''])(
    'is not %j',
    (text) => {
      expect(parsePartialMask(text)).toBeUndefined();
    },
  );

  test.each([
    `last(${' '.repeat(300_000)}`,
    `last(${' '.repeat(300_000)}x)`,
    `last(1,${' '.repeat(300_000)}`,
  ])('is none if many spaces lead to nothing: text %#', (text) => {
    expect(parsePartialMask(text)).toBeUndefined();
  });
});
