import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { assert, constantFrom, jsonValue, oneof, property } from 'fast-check';
import { ACTIONS } from '../../../src/core/actions/registry.ts';
import { masked, resultOf } from './apply.ts';

const KEY = createSecretKey(Buffer.from('0123456789abcdef0123456789abcdef'));
const KEYS = new Map(['example', 'k'].map((name) => [name, { current: KEY }]));

const VALUES = ['"text"', '41', 'true', 'false', '{"a":1}', '[1]', 'null', '""', '[]', '{}'];

/** What an action makes of each of the values above. */
const BY_TYPE: readonly (readonly [action: string, ...results: readonly string[]])[] = [
  ['MASK', '"***"', 'null', 'null', 'null', 'null', 'null', 'null', '"***"', 'null', 'null'],
  ['last(1)', '"***t"', '91', 'null', 'null', 'null', 'null', 'null', '""', 'null', 'null'],
  ['remove()', ...VALUES.map(() => 'removed')],
  ['null()', ...VALUES.map(() => 'null')],
  ['empty()', '""', '0', 'false', 'false', '{}', '[]', 'null', '""', '[]', '{}'],
  ['value([0])', ...VALUES.map(() => '[0]')],
  ['email()', '"***"', 'null', 'null', 'null', 'null', 'null', 'null', '"***"', 'null', 'null'],
  ['card()', '"***"', 'null', 'null', 'null', 'null', 'null', 'null', '"***"', 'null', 'null'],
  ['shape()', '"xxxx"', '99', 'null', 'null', 'null', 'null', 'null', '""', 'null', 'null'],
  ['year()', '"***"', 'null', 'null', 'null', 'null', 'null', 'null', '"***"', 'null', 'null'],
  ['month()', '"***"', 'null', 'null', 'null', 'null', 'null', 'null', '"***"', 'null', 'null'],
  ['round(10)', '"***"', '40', 'null', 'null', 'null', 'null', 'null', '"***"', 'null', 'null'],
  ['bucket(18,65)', '"***"', '18', 'null', 'null', 'null', 'null', 'null', '"***"', 'null', 'null'],
];

/** HMAC-SHA-256 as node:crypto has it. */
function hashOf(text: string): string {
  return JSON.stringify(createHmac('sha256', KEY).update(text).digest('base64url').slice(0, 22));
}

describe('an action', () => {
  test.each(ACTIONS.map(({ row }) => row.example))('$action has the example of its row', (example) => {
    const { action, before, after = 'removed' } = example;
    expect(masked(action, before, { keys: KEYS })).toBe(after);
  });

  test.each(BY_TYPE)('%s changes each type as the table of masks says', (action, ...results) => {
    expect(VALUES.map((value) => masked(action, value))).toEqual(results);
  });

  // A window may show the whole of a short text: that one is unchanged, and everybody can see it.
  const replacing = ACTIONS.map(({ row }) => row.example.action).filter(
    (action) => action !== 'remove()' && action !== 'last(4)',
  );

  test.each(replacing)(
    '%s counts as a mask of what is masked already: counts must not give values away',
    (action) => {
      const value = oneof(jsonValue(), constantFrom('2026-01-01', '***', '', 0, 9, 18, 65, 2000));
      const isUnchanged = (json: string): boolean =>
        json !== 'null' && resultOf(action, json, { keys: KEYS }).effect === 'unchanged';
      const counted = property(
        value,
        (one) => !isUnchanged(masked(action, JSON.stringify(one), { keys: KEYS })),
      );
      expect(() => {
        assert(counted);
      }).not.toThrow();
    },
  );

  test.each([
    ['last(1)', '998'],
    ['empty()', '0'],
    ['empty()', 'false'],
    ['bucket(18,65)', '18'],
  ])('%s counts as a mask of %s', (action, json) => {
    expect(resultOf(action, json)).toMatchObject({ effect: 'masked' });
    expect(masked(action, json)).toBe(json);
  });

  test.each([
    ['value( {"a" : 1} )', '1', '{"a" : 1}'],
    ['VALUE(1e400)', 'null', '1e400'],
    ['value(null)', '""', 'null'],
    ['value("\\u00e9")', '1', '"\\u00e9"'],
    ['email()', '"a@b.co"', '"*@b.co"'],
    ['email()', '"ann@localhost"', '"a**@localhost"'],
    ['email()', '"ann.lee+x@sub.example.com"', '"a********@sub.example.com"'],
    ['email()', '"\\u0061nn@example.com"', '"a**@example.com"'],
    ['email()', '"👍🏽é@example.com"', '"👍🏽*@example.com"'],
    ['email()', '"éàü@example.com"', '"é**@example.com"'],
    ['email()', '"é@example.com"', '"*@example.com"'],
    ['email()', '"ann@bücher.example"', '"a**@bücher.example"'],
    ['email()', `"ann@${'\u{5c71}'.repeat(200)}.jp"`, `"a**@${'\u{5c71}'.repeat(200)}.jp"`],
    ['email( DOMAIN )', '"a@example.com"', '"***@example.com"'],
    ['email()', '"@example.com"', '"***"'],
    ['email()', '"ann@"', '"***"'],
    ['email()', '"ann@example..com"', '"***"'],
    ['email()', '"a@b@example.com"', '"***"'],
    ['email()', '"Ann Lee <ann@example.com>"', '"***"'],
    ['email()', '"mail ann@example.com"', '"***"'],
    ['email(domain)', '"pay 100 @ once"', '"***"'],
    ['card()', '"4111-1111-1111-1111"', '"4111-11**-****-1111"'],
    ['card()', '"411111111111"', '"411111**1111"'],
    ['card()', '"4111111111111111111"', '"411111*********1111"'],
    ['card()', '"41111111111"', '"***"'],
    ['card()', '"41111111111111111111"', '"***"'],
    ['card()', '"4111111111111111 Ann"', '"***"'],
    ['card()', '12345', 'null'],
    ['card()', '41111111111', 'null'],
    ['card()', '-411111111111', '-411111991111'],
    ['card()', '4111111111111111111', '4111119999999991111'],
    ['card()', '41111111111111111111', 'null'],
    ['shape()', '"e\\u0301É1٣½ _ǅ漢"', '"xX999 _Xx"'],
    ['shape()', '"\u24b6\u24d1 \u{1f130}\u{1f150}\u{1f170}"', '"Xx XXX"'],
    ['shape()', '"\u2167\u2460\u2776"', '"999"'],
    ['shape()', '"\u0600\u0663 \u2122\u{1f600}"', '"9 \u2122\u{1f600}"'],
    ['shape()', '0.05', '9.99'],
    ['shape()', '-1.5e10', '-9.9e10'],
    ['year()', '"0000-05-06"', '"0000-01-01"'],
    ['year()', '"2026-12-31T23:30:00-02:00"', '"2027-01-01T00:00:00Z"'],
    ['year()', '"9999-12-31T23:30:00-02:00"', '"+010000-01-01T00:00:00Z"'],
    ['year()', '"2016-12-31T23:59:60Z"', '"2016-01-01T00:00:00Z"'],
    ['month()', '"2017-01-01T00:59:60.5+01:00"', '"2016-12-01T00:00:00Z"'],
    ['year()', '"2016-12-31T24:00:00Z"', '"2017-01-01T00:00:00Z"'],
    ['year()', '"2026-11-21T10:00"', '"2026-01-01T00:00:00Z"'],
    ['month()', '"2026-03-01T00:30:00+01:00"', '"2026-02-01T00:00:00Z"'],
    ['month()', '"2024-02-29"', '"2024-02-01"'],
    ['month()', '"2023-02-29"', '"***"'],
    ['month()', '"1969-12-31T23:59:59.999999999Z"', '"1969-12-01T00:00:00Z"'],
    ['round(1000)', '13500', '14000'],
    ['round(1000)', '12500', '12000'],
    ['round(1000)', '-12500', '-12000'],
    ['round(1000)', '499', '0'],
    ['round(1000)', '-1', '0'],
    ['round(1000)', '12000', '12000'],
    ['round(1000)', '12000.00', '12000'],
    ['round(1000)', '12e3', '12000'],
    ['round(0.05)', '2', '2.00'],
    ['round(0.05)', '-0.0', '0.00'],
    ['round(0.05)', '1.98', '2.00'],
    ['round(0.05)', '1.975', '2.00'],
    ['round(0.05)', '1.925', '1.90'],
    ['round(0.05)', '-0.01', '0.00'],
    ['round(1e3)', '12500', '12000'],
    ['round(0.1)', '9007199254740993.25', '9007199254740993.2'],
    ['round(1000)', '99999999999999999999500', '100000000000000000000000'],
    ['round(1000)', '1e1000', 'null'],
    ['round(0.05)', '1e998', 'null'],
    ['round(10)', '1e999999999', 'null'],
    ['round(7)', '1e999999999', 'null'],
    ['round(7)', '1e99999999999999999999', 'null'],
    ['round(7)', '1e-999999999', '0'],
    ['round(7)', '-0', '0'],
    ['round(3)', '10', '9'],
    ['bucket(18,65)', '18', '18'],
    ['bucket(18,65)', '17.99', 'null'],
    ['bucket(18,65)', '1e400', '65'],
    ['bucket(65, 18, -1.5)', '0', '-1.5'],
    ['bucket(-10)', '-10.0', '-10'],
    ['bucket(9007199254740993)', '9007199254740992', 'null'],
    ['bucket(1e2,5e2)', '450', '1e2'],
    ['hash(k)', '"Ann"', hashOf('Ann')],
    ['hash( k )', '"\\u0041nn"', hashOf('Ann')],
    ['HASH(k)', '1.10', hashOf('1.10')],
    ['hash(k)', 'true', hashOf('true')],
    ['hash(k)', '""', hashOf('')],
    ['hash(k)', '[1]', 'null'],
    ['hash(k)', 'null', 'null'],
  ])('%s makes of %s %s', (action, before, after) => {
    expect(masked(action, before, { keys: KEYS })).toBe(after);
  });

  test('that sets a value sets it in one line: a record of a stream is a line', () => {
    expect(masked('value({\r\n "a": [1,\n 2]})', '5')).toBe('{   "a": [1,  2]}');
  });

  test.each([
    ['1e400 to thousands', 'round(1000)', '1e400', `1${'0'.repeat(400)}`],
    ['a result of 1,000 digits', 'round(1000)', '1e999', `1${'0'.repeat(999)}`],
    ['a result of 1,001 digits', 'round(1000)', '9'.repeat(1000), 'null'],
    ['a result of 1,001 digits with decimals', 'round(0.05)', '1e998', 'null'],
    ['many decimals that make no step', 'round(7)', `0.${'1'.repeat(2000)}`, '0'],
    ['half a step and many zeros', 'round(7)', `3.5${'0'.repeat(2000)}`, '0'],
    ['half a step and very little', 'round(7)', `3.5${'0'.repeat(2000)}1`, '7'],
    ['nearly half a step', 'round(7)', `3.4${'9'.repeat(2000)}`, '0'],
    ['half of a large step', 'round(1e300)', `5${'0'.repeat(299)}`, '0'],
    ['more than half of a large step', 'round(1e300)', `5${'0'.repeat(298)}1`, `1${'0'.repeat(300)}`],
  ])('that rounds is exact with many digits: %s', (_, action, before, after) => {
    expect(masked(action, before)).toBe(after);
  });

  test('that rounds a number of a million digits gives null, and does not compute it', () => {
    expect(masked('round(7)', '1'.repeat(1_000_000))).toBe('null');
  });
});

describe('with maskShort', () => {
  test('what a partial mask would show in full becomes the mask string of the request', () => {
    expect(masked('last(4)', '"123"', { maskShort: true, maskString: '#' })).toBe('"#"');
    expect(masked('email()', '"123"', { maskString: '#' })).toBe('"#"');
  });

  test.each([
    ['last(4)', '"123"', '"***"'],
    ['last(4)', '"1234"', '"***"'],
    ['last(4)', '"12345"', '"*2345"'],
    ['last(4)', '"éabc"', '"***"'],
    ['last(4)', '"éabcd"', '"*abcd"'],
    ['edges(2)', '"abcd"', '"***"'],
    ['middle', '123', 'null'],
    ['first(2)', '1.5e10', 'null'],
    ['first(1)', '1.5e10', '1.9e10'],
    ['last(4)', '""', '"***"'],
    ['last(4, x)', 'null', 'null'],
  ])('%s makes of %s %s', (action, before, after) => {
    expect(masked(action, before, { maskShort: true })).toBe(after);
  });
});
