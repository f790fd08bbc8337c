import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { compareDecimals, parseDecimal } from '../../../src/core/conditions/decimal.ts';
import { parseInstant } from '../../../src/core/conditions/instant.ts';
import { Test, ValueError, type Operator, type Relation } from '../../../src/core/conditions/test.ts';
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
    ['007', '7', 0],
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

  test.each(['', 'abc', '1.', '.5', '1e', '--1', ' 1', '0x10', 'Infinity', '1e9999999999999999'])(
    '%j is none',
    (text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );
});

describe('instants', () => {
  test.each([
    ['2024-05-01', '2024-05-01T00:00:00Z'],
    ['2024-05-01T12:00:00+02:00', '2024-05-01 10:00:00Z'],
    ['2024-05-01T10:00Z', '2024-05-01T10:00:00.000000000Z'],
    ['2024-05-01T10:00:00', '2024-05-01T10:00:00Z'],
    ['2024-05-01T10:00:00.5Z', '2024-05-01T10:00:00.500Z'],
    ['2024-05-01T05:30:00-0430', '2024-05-01T10:00:00Z'],
    ['0099-01-01', '0099-01-01T00:00:00Z'],
  ])('%s is %s', (a, b) => {
    expect(parseInstant(a)).toBeDefined();
    expect(parseInstant(a)).toBe(parseInstant(b));
  });

  test('tell nanoseconds apart', () => {
    expect(parseInstant('2024-05-01T10:00:00.000000001Z')).toBeGreaterThan(
      parseInstant('2024-05-01T10:00:00Z') ?? 0n,
    );
  });

  test.each([
    '',
    '2024',
    '2024-13-01',
    '2024-02-30',
    '2024-05-01T24:00:00Z',
    '01.05.2024',
    '1714550400',
    '2024-05-01Z',
  ])('%j is none', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe('a test', () => {
  test('of an attribute that is absent fails, unless it is negated', () => {
    expect(new Test(positive('equals'), 'STRING', ['x'], false).holds([])).toBe(false);
    expect(new Test(negated('equals'), 'STRING', ['x'], false).holds([])).toBe(true);
    expect(new Test(positive('equals'), 'STRING', ['x'], true).holds([])).toBe(false);
  });

  test('of several values holds when any fits, or every one where it asks for all', () => {
    expect(new Test(positive('equals'), 'STRING', ['x', 'y'], false).holds(['z', 'y'])).toBe(true);
    expect(new Test(positive('equals'), 'STRING', ['x', 'y'], true).holds(['z', 'y'])).toBe(false);
    expect(new Test(positive('equals'), 'STRING', ['x', 'y'], true).holds(['x', 'y'])).toBe(true);
    expect(new Test(negated('equals'), 'STRING', ['x'], false).holds(['z', 'x'])).toBe(false);
  });

  test('is never passed by an object, however it asks', () => {
    expect(new Test(positive('contains'), 'STRING', [''], false).holds([UNREADABLE])).toBe(false);
    expect(new Test(negated('contains'), 'STRING', [''], false).holds([UNREADABLE])).toBe(true);
  });

  test('compares as its type says', () => {
    expect(new Test(positive('equals'), 'STRING', ['1.0'], false).fits('1')).toBe(false);
    expect(new Test(positive('equals'), 'NUMBER', ['1.0'], false).fits('1')).toBe(true);
    expect(new Test(positive('greater'), 'STRING', ['10'], false).fits('9')).toBe(true);
    expect(new Test(positive('greater'), 'INTEGER', ['10'], false).fits('9')).toBe(false);
    expect(new Test(positive('equals'), 'BOOLEAN', ['TRUE'], false).fits('true')).toBe(true);
    expect(new Test(positive('less'), 'DATE', ['2024-01-01'], false).fits('soon')).toBe(false);
  });

  test('refuses values that do not read as its type, and an order of booleans', () => {
    expect(() => new Test(positive('equals'), 'INTEGER', ['ten'], false)).toThrow(ValueError);
    expect(() => new Test(positive('equals'), 'DATE', ['soon'], false)).toThrow(ValueError);
    expect(() => new Test(positive('less'), 'BOOLEAN', ['true'], false)).toThrow(ValueError);
  });
});

function positive(relation: Relation): Operator {
  return { relation, negated: false };
}

function negated(relation: Relation): Operator {
  return { relation, negated: true };
}
