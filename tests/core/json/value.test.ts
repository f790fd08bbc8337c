import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { TOP } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { NumberText, valueAt, type JsonValue } from '../../../src/core/json/value.ts';

function valueOf(text: string): JsonValue {
  return valueAt(scan(Buffer.from(text), 100), TOP);
}

/** How a number is spelt again. */
function spelling(text: string): string | undefined {
  const value = valueOf(text);
  return typeof value === 'number' || value instanceof NumberText ? String(value) : undefined;
}

describe('a number', () => {
  test.each(['0', '1', '-1.5', '9007199254740992', '1e+21', '1e-7'])(
    'is one of JavaScript if that says the same: %s',
    (text) => {
      expect(valueOf(text)).toBe(Number(text));
    },
  );

  test.each(['9007199254740993', '12345678901234567890', '1.10', '-0', '1e400', '1E2', '0.10', '1e5'])(
    'keeps its spelling if JavaScript would lose it: %s',
    (text) => {
      expect(valueOf(text)).toEqual(new NumberText(text));
      expect(spelling(text)).toBe(text);
    },
  );

  test('is never spelt otherwise than before', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^-?(?:0|[1-9]\d{0,25})(?:\.\d{1,12})?(?:[eE][+-]?\d{1,3})?$/),
        (text) => {
          expect(spelling(text)).toBe(text);
        },
      ),
    );
  });
});

describe('an object', () => {
  test('inherits nothing, and has members of whatever name', () => {
    const object = valueOf('{"__proto__": {"a": 1}, "constructor": 2, "toString": 3}');
    expect(['toString', 'constructor', '__proto__'].filter((name) => name in Object(valueOf('{}')))).toEqual(
      [],
    );
    expect(JSON.stringify(object)).toBe('{"__proto__":{"a":1},"constructor":2,"toString":3}');
  });

  test('has the last of the values whose name occurs twice, however it is spelt', () => {
    expect(valueOf('{"a": 1, "b": 2, "\\u0061": 3}')).toEqual({ a: 3, b: 2 });
  });

  test('changes no other object', () => {
    valueOf('{"__proto__": {"polluted": true}}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

test('arrays, literals and strings are what JSON.parse makes of them', () => {
  const text = '[[], [null, true, false, "\\ud800", "é"], [[["x"]]]]';
  expect(valueOf(text)).toEqual(JSON.parse(text));
});
