import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { compareDecimals, parseDecimal } from '../../../src/core/conditions/decimal.ts';
import { compareInstants, parseInstant } from '../../../src/core/conditions/instant.ts';
import { Comparison, type Operator } from '../../../src/core/conditions/comparison.ts';
import { ValueError, type Relation } from '../../../src/core/conditions/relation.ts';
import { firstIn, TOP } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { UNREADABLE } from '../../../src/core/paths/attribute.ts';

function order(a: string, b: string): number {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  if (!left || !right) throw new Error('both have to be numbers');
  // Adding 0 makes 0 of -0.
  return Math.sign(compareDecimals(left, right)) + 0;
}

describe('decimals', () => {
  test.each([
    ['9007199254740993', '9007199254740992', 1],
    ['1.10', '1.1', 0],
    ['-0', '0', 0],
    ['1e400', '1e399', 1],
    ['-1e400', '1e-400', -1],
    ['0.1e1', '1', 0],
    ['100', '1e2', 0],
    ['12345678901234567890', '12345678901234567891', -1],
    ['-2', '-10', 1],
    ['0.001', '0.0010000000000000000000001', -1],
    ['1e12345678901234567890', '9e12345678901234567889', 1],
    ['10e999999999999999', '1e1000000000000000', 0],
    ['0.01e1000000000000000', '1e999999999999998', 0],
    ['0.01e1000000000000001', '1e999999999999999', 0],
    ['10e1999999999999999', '1e2000000000000000', 0],
    ['1e-99999999999999999', '1e99999999999999999', -1],
    ['1e-99999999999999999999', '0.1e-99999999999999999998', 0],
    ['1e9999999999999999', '1e00009999999999999999', 0],
    ['-1e99999999999999999', '1', -1],
    ['1e-99999999999999999', '1', -1],
    ['1e20000000000000000', '1e3000000000000000', 1],
    ['10e9999999999999999', '1e10000000000000000', 0],
    ['1e-99999999999999999', '1e-99999999999999998', -1],
  ])('%s against %s is %s', (a, b, expected) => {
    expect(order(a, b)).toBe(expected);
    expect(order(b, a)).toBe(expected === 0 ? 0 : -expected);
  });

  test('are ordered as integers of any size are', () => {
    const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        expect(order(String(a), String(b))).toBe(a === b ? 0 : a < b ? -1 : 1);
      }),
    );
  });

  test.each(['', 'abc', '1.', '.5', '1e', '--1', ' 1', '0x10', 'Infinity', '007', '+1'])(
    '%j is not one',
    (text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );
});

describe('instants', () => {
  test.each([
    ['2024-05-01', '2024-05-01T00:00:00Z'],
    ['2024-05-01T12:00:00+02:00', '2024-05-01T10Z'],
    ['2024-05-01T10:00Z', '2024-05-01T10:00:00.000000000Z'],
    ['2024-05-01T10:00:00', '2024-05-01T10:00:00Z'],
    ['2024-05-01T10:00:00.5Z', '2024-05-01T10:00:00.500Z'],
    ['2024-05-01T05:30:00-04:30', '2024-05-01T10:00:00+00'],
    ['2024-05-01T24:00:00Z', '2024-05-02'],
    ['2024-05-01T10:00:00.50000000000000Z', '2024-05-01T10:00:00,5Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01'],
    ['2017-01-01T00:59:60+01:00', '2017-01-01'],
    ['+12026-01-01', '+12026-01-01T00:00:00Z'],
    ['-00001-12-31T24:00Z', '0000-01-01'],
    ['0099-01-01', '0099-01-01T00:00:00Z'],
    [`+${'1'.repeat(99)}-05-01`, `+${'1'.repeat(99)}-05-01T00:00Z`],
  ])('%s is %s', (a, b) => {
    expect(parseInstant(a)).toBeDefined();
    expect(parseInstant(a)).toEqual(parseInstant(b));
  });

  test('follow one another over any number of years', () => {
    const texts = [
      '-99999999-03-01',
      '-00400-02-29',
      '0000-01-01',
      '9999-12-31T23:59:59Z',
      '+10000-01-01',
      '+99999999999999999999-01-01',
    ];
    const instants = texts.flatMap((text) => parseInstant(text) ?? []);
    expect(instants).toHaveLength(texts.length);
    expect(instants.toSorted(compareInstants)).toEqual(instants);
  });

  test('differ by nanoseconds', () => {
    const later = parseInstant('2024-05-01T10:00:00.000000001Z');
    const earlier = parseInstant('2024-05-01T10:00:00Z');
    expect(later && earlier && compareInstants(later, earlier)).toBeGreaterThan(0);
  });

  test.each([
    '',
    '2024',
    '2024-13-01',
    '2024-02-30',
    '2024-05-01T24:00:01Z',
    '2024-05-01T24:00:00.1Z',
    '2024-05-01T12:00:60Z',
    '2024-05-01T23:59:60Z',
    '2024-05-01 10:00:00Z',
    '2024-05-01T10:00:00+0100',
    '2024-05-01T10:00:00+24:00',
    '2024-05-01T10:00:00+23:60',
    '+2024-05-01',
    '12024-05-01',
    '01.05.2024',
    '1714550400',
    '2024-05-01Z',
    `+${'1'.repeat(101)}-05-01`,
  ])('%j is not one', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe('a test', () => {
  test('of an attribute that is absent fails, unless it is negated', () => {
    expect(new Comparison(positive('equals'), 'STRING', ['x'], false).holds([])).toBe(false);
    expect(new Comparison(negated('equals'), 'STRING', ['x'], false).holds([])).toBe(true);
    expect(new Comparison(positive('equals'), 'STRING', ['x'], true).holds([])).toBe(false);
  });

  test('of several values holds when any fits, or every one if it asks for all', () => {
    expect(new Comparison(positive('equals'), 'STRING', ['x', 'y'], false).holds(['z', 'y'])).toBe(true);
    expect(new Comparison(positive('equals'), 'STRING', ['x', 'y'], true).holds(['z', 'y'])).toBe(false);
    expect(new Comparison(positive('equals'), 'STRING', ['x', 'y'], true).holds(['x', 'y'])).toBe(true);
    expect(new Comparison(negated('equals'), 'STRING', ['x'], false).holds(['z', 'x'])).toBe(false);
  });

  test('is never passed by an object, however it asks', () => {
    expect(new Comparison(positive('contains'), 'STRING', [''], false).holds([UNREADABLE])).toBe(false);
    expect(new Comparison(negated('contains'), 'STRING', [''], false).holds([UNREADABLE])).toBe(true);
  });

  test('compares as its type says', () => {
    expect(new Comparison(positive('equals'), 'STRING', ['1.0'], false).fits('1')).toBe(false);
    expect(new Comparison(positive('equals'), 'NUMBER', ['1.0'], false).fits('1')).toBe(true);
    expect(new Comparison(positive('greater'), 'STRING', ['10'], false).fits('9')).toBe(true);
    expect(new Comparison(positive('greater'), 'INTEGER', ['10'], false).fits('9')).toBe(false);
    expect(new Comparison(positive('equals'), 'BOOLEAN', ['TRUE'], false).fits('true')).toBe(true);
    expect(new Comparison(positive('less'), 'DATE', ['2024-01-01'], false).fits('soon')).toBe(false);
  });

  test.each([
    ['1', '1.0'],
    ['1.0', '1'],
    ['0', '-0'],
    ['100', '1e2'],
    ['0', ''],
    ['16', '0x10'],
    ['7', ' 7'],
  ])('of texts is not passed by the number %s if it asks for %j', (number, text) => {
    const equals = new Comparison(positive('equals'), 'STRING', [text], false);
    expect(equals.holdsForScalar(scan(Buffer.from(number), 1), TOP)).toBe(false);
  });

  test.each([
    ['less', 9, 10],
    ['lessOrEqual', 10, 11],
    ['greater', 6, 5],
    ['greaterOrEqual', 5, 4],
  ] as const)(
    'of whether something is %s holds if it is so for any of several values',
    (relation, yes, no) => {
      const outcomes = (['STRING', 'INTEGER', 'DATE'] as const).map((type) => {
        const write = WRITTEN[type];
        const comparison = new Comparison(positive(relation), type, [write(5), write(10)], false);
        return [yes, no].map((number) => [
          comparison.fits(write(number)),
          heldFirst(comparison, JSON.stringify(write(number))),
        ]);
      });
      const expected = [
        [true, true],
        [false, false],
      ];
      expect(outcomes).toEqual([expected, expected, expected]);
    },
  );

  test.each([
    ['less', '12345678901234567890'],
    ['greater', '-12345678901234567890'],
    ['greaterOrEqual', '0.12345678901234567890'],
  ] as const)('of a short number that is %s than %s, which is long, holds', (relation, long) => {
    expect(heldFirst(new Comparison(positive(relation), 'NUMBER', [long], false), '7')).toBe(true);
    expect(heldFirst(new Comparison(positive(relation), 'NUMBER', ['7', long], false), '7')).toBe(true);
  });

  test.each([
    ['-1e2', '-100', true],
    ['-1e2', '100', false],
    ['-100', '-1e2', true],
    ['1.50', '1.5', true],
    ['1.5', '15', false],
  ])('of whether the number %s equals %s is %s', (number, value, expected) => {
    const equals = new Comparison(positive('equals'), 'NUMBER', [value], false);
    expect([equals.fits(number), heldFirst(equals, number)]).toEqual([expected, expected]);
  });

  test('of a number in a document holds if it does of its text, however that is written', () => {
    const relation = fc.constantFrom('equals' as const, 'less' as const, 'greaterOrEqual' as const);
    fc.assert(
      fc.property(relation, numberText, numberText, (asked, number, value) => {
        const comparison = new Comparison(positive(asked), 'NUMBER', [value], false);
        const inDocument = [number, JSON.stringify(number)].map((json) => heldFirst(comparison, json));
        const ofText = comparison.fits(number);
        expect(inDocument).toEqual([ofText, ofText]);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ['contains', 'an7y', 'n'],
    ['startsWith', 'n7y', 'an7'],
    ['endsWith', 'an7', 'n7y'],
  ] as const)('of many values that %s a text finds each of them', (relation, yes, no) => {
    const values = Array.from({ length: 12 }, (_value, at) => `n${at}`);
    const comparison = new Comparison(positive(relation), 'STRING', values, false);
    expect([comparison.fits(yes), comparison.fits(no)]).toEqual([true, false]);
  });

  test('refuses values that do not read as its type, and an order of booleans', () => {
    expect(() => new Comparison(positive('equals'), 'INTEGER', ['ten'], false)).toThrow(ValueError);
    expect(() => new Comparison(positive('equals'), 'DATE', ['soon'], false)).toThrow(ValueError);
    expect(() => new Comparison(positive('less'), 'BOOLEAN', ['true'], false)).toThrow(ValueError);
  });
});

/** A number as JSON has it: short or long, with a fraction, an exponent, or neither. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.constantFrom('0', '1', '15', '150', '12345678901234', '123456789012345', '1234567890123456'),
    fc.constantFrom('', '.0', '.5', '.50', '.05', '.25'),
    fc.constantFrom('', '', 'e1', 'E-1', 'e+2'),
  )
  .map((parts) => parts.join(''));

/** Numbers of at most two digits in the order of a type. */
const WRITTEN = {
  STRING: (number: number) => `t${String(number).padStart(2, '0')}`,
  INTEGER: String,
  DATE: (number: number) => `2024-01-${String(number).padStart(2, '0')}`,
};

/** Whether a comparison holds for a value in a document, where something follows. */
function heldFirst(comparison: Comparison, json: string): boolean {
  const doc = scan(Buffer.from(`[${json},"what follows the value"]`), 1);
  return comparison.holdsForScalar(doc, firstIn(TOP));
}

function positive(relation: Relation): Operator {
  return { relation, negated: false };
}

function negated(relation: Relation): Operator {
  return { relation, negated: true };
}
