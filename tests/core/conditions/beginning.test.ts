import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Comparison } from '../../../src/core/conditions/comparison.ts';
import type { Relation } from '../../../src/core/conditions/relation.ts';

const RELATIONS: readonly Relation[] = ['startsWith', 'contains', 'endsWith', 'less', 'greaterOrEqual'];
/** Together with it, values are too long to be looked for one by one. */
const LONG = 'b'.repeat(300);

const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '1'), maxLength: 6 });

test('the beginning of a text compares as the text does, whatever follows, with short values and with long ones', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...RELATIONS),
      fc.array(text, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.array(text, { minLength: 1, maxLength: 8 }),
      (relation, some, isLong, parts) => {
        const values = isLong ? [...some, LONG] : some;
        const comparison = new Comparison({ relation, negated: false }, 'STRING', values, false);
        let beginning = comparison.beginningOf(parts[0] ?? '');
        let whole = parts[0] ?? '';
        for (const part of parts.slice(1)) {
          if (typeof beginning === 'boolean') break;
          beginning = comparison.beginningOf(`${beginning}.${part}`);
          whole += `.${part}`;
        }
        const longer = `${whole}.${parts.join('.')}`;
        const outcomes =
          typeof beginning === 'string'
            ? [comparison.fits(beginning), comparison.fits(`${beginning}.${parts.join('.')}`)]
            : [beginning, beginning];
        expect(outcomes).toEqual([comparison.fits(whole), comparison.fits(longer)]);
      },
    ),
    { numRuns: 3000 },
  );
});

test('of a text, no more is kept than begins a value, however long the values are', () => {
  const comparison = new Comparison({ relation: 'contains', negated: false }, 'STRING', ['7', LONG], false);
  expect(comparison.beginningOf('n123456')).toBe('');
  expect(comparison.beginningOf('n123bb')).toBe('bb');
  expect(comparison.beginningOf('n172')).toBe(true);
});

test('of a time that may be a leap second, all is kept', () => {
  const comparison = new Comparison({ relation: 'less', negated: false }, 'DATETIME', ['2020-01-01'], false);
  expect(comparison.beginningOf('2016-12-31T23:59:60')).toBe('2016-12-31T23:59:60');
  expect(comparison.beginningOf('2016-13-31T23:59:60')).toBe(false);
});
