import { describe, expect, test } from '@jest/globals';
import { Scalar } from 'yaml';
import { readSource } from '../../src/yaml/index.ts';

/** What is below `json` in a text, as JSON. */
function jsonIn(text: string): string | undefined {
  const source = readSource(text);
  return 'problems' in source ? JSON.stringify(source.problems) : source.jsonAt(['json']);
}

describe('a value of a YAML file as JSON', () => {
  test.each(['0', '-0', '7', '1.50', '-1e0', '2E+10', '12345678901234567890'])(
    'is the number %s as it is written',
    (written) => {
      expect(jsonIn(`json: ${written}`)).toBe(written);
    },
  );

  test.each(['007', '-07', '.5', '5.', '+1', '0x1F', '1_000', '.inf', 'TRUE', 'yes', '2026-01-31'])(
    'is text if it is no number of JSON: %s',
    (written) => {
      expect(jsonIn(`json: ${written}`)).toBe(JSON.stringify(written));
    },
  );

  test.each(['1', 'true', 'null', '~', ''])('is text if it is in quotes: %j', (written) => {
    expect(jsonIn(`json: "${written}"`)).toBe(JSON.stringify(written));
    expect(jsonIn(`json: '${written}'`)).toBe(JSON.stringify(written));
  });

  test.each([
    ['true', 'true'],
    ['false', 'false'],
    ['null', 'null'],
    ['NULL', 'null'],
    ['~', 'null'],
    ['', 'null'],
  ])('is a word of JSON if it is one, or nothing: %j', (written, json) => {
    expect(jsonIn(`json: ${written}`)).toBe(json);
  });

  test('has the members and elements in their order', () => {
    const text = 'json: { 1: [a, false, {}], "x y": { b: [], a: 1.0 } }';
    expect(jsonIn(text)).toBe('{"1":["a",false,{}],"x y":{"b":[],"a":1.0}}');
  });

  test('is undefined if nothing is there', () => {
    expect(jsonIn('other: 1')).toBeUndefined();
  });
});

test('the lines of keys are found without a look at all keys for each', () => {
  const names = Array.from({ length: 100 }, (_value, at) => `k${at}`);
  const read = countedReads(() => {
    const source = readSource(names.map((name) => `${name}: 1`).join('\n'));
    return 'problems' in source ? [] : names.map((name) => source.lineOf([name]));
  });
  expect(read.result).toEqual(names.map((_name, at) => at + 1));
  expect(read.count).toBeLessThan(20 * names.length);
});

/** Does something, and counts how often the value of a scalar is read. */
function countedReads<T>(work: () => T): { readonly result: T; readonly count: number } {
  const values = new WeakMap<Scalar, unknown>();
  let count = 0;
  Object.defineProperty(Scalar.prototype, 'value', {
    configurable: true,
    get(this: Scalar) {
      count++;
      return values.get(this);
    },
    set(this: Scalar, value: unknown) {
      values.set(this, value);
    },
  });
  try {
    return { result: work(), count };
  } finally {
    Reflect.deleteProperty(Scalar.prototype, 'value');
  }
}
