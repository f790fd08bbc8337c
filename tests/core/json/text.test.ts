import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { elementsOf, TOP } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { rawAt, scalarTextAt, stringAt } from '../../../src/core/json/text.ts';

const anyString = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});

function located(text: string) {
  return scan(Buffer.from(text), 10);
}

describe('what a string says', () => {
  test('is what it said before it was written as JSON, lone surrogates included', () => {
    fc.assert(
      fc.property(anyString, (text) => {
        expect(stringAt(scan(Buffer.from(JSON.stringify(text)), 0), TOP)).toBe(text);
      }),
    );
  });

  test('is the same for long strings, whatever lies between their escapes', () => {
    const part = fc.oneof(
      fc.constantFrom('\\', '"', '\n', '\u0000', '\ud83d', '😀', 'é', '€'),
      fc
        .tuple(fc.constantFrom('a', 'é', '€', '😀'), fc.nat({ max: 300 }))
        .map(([text, times]) => text.repeat(times)),
    );
    const long = fc.array(part, { maxLength: 60, size: 'max' }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(long, fc.nat({ max: 3 }), (text, repeated) => {
        const all = text.repeat(repeated + 1);
        expect(stringAt(scan(Buffer.from(JSON.stringify(all)), 0), TOP)).toBe(all);
      }),
    );
  });

  test.each([
    ['"\\u0061"', 'a'],
    ['"\\/\\b\\f\\n\\r\\t\\"\\\\"', '/\b\f\n\r\t"\\'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\ud83d"', '\ud83d'],
    ['"ä"', 'ä'],
    ['""', ''],
  ])('of %s has its escapes resolved', (text, says) => {
    expect(stringAt(located(text), TOP)).toBe(says);
  });
});

describe('a value as it is spelt', () => {
  test.each(['1.10', '-0', '1e400', '12345678901234567890', '"\\u0061"', 'true', 'null', '{ "a" : [ 1 ] }'])(
    'is %s',
    (text) => {
      const doc = located(`[ ${text} ]`);
      expect([...elementsOf(doc, TOP)].map((node) => rawAt(doc, node))).toEqual([text]);
    },
  );
});

describe('a scalar as text', () => {
  test('is what a string says, and a number or boolean as it is spelt; null, objects and arrays have none', () => {
    const doc = located('["\\u0061", 1.10, true, false, null, {}, []]');
    expect([...elementsOf(doc, TOP)].map((node) => scalarTextAt(doc, node))).toEqual([
      'a',
      '1.10',
      'true',
      'false',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
