import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { elementsOf, Kind, kindOf, namesOf, numberOf, TOP } from '../../../src/core/json/located.ts';
import { NO_NUMBER } from '../../../src/core/json/names.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { stringAt } from '../../../src/core/json/text.ts';

const DEPTH = 9;

interface Named {
  readonly name: string;
  readonly number: number;
}

/** The names of an object's members, as the scanner tells them apart. */
function namesIn(text: string): Named[] {
  const doc = scan(Buffer.from(text), DEPTH);
  return Array.from(namesOf(doc, TOP), (node) => ({
    name: stringAt(doc, node),
    number: numberOf(doc, node),
  }));
}

function objectOf(names: readonly string[]): string {
  return `{${names.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`;
}

/** Few letters, so that names begin and end alike, and are alike. */
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 12 }),
  fc.constantFrom('', 'a":0,"b', 'a\\', '"', '\n', '😀'),
);

describe('the numbers of names in a text', () => {
  test('are the same for the same names only', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 80 }), (names) => {
        const numbered = namesIn(objectOf(names)).filter(({ number }) => number !== NO_NUMBER);
        const byNumber = new Map(numbered.map(({ name: text, number }) => [number, text]));
        const byName = new Map(numbered.map(({ name: text, number }) => [text, number]));
        expect(byNumber.size).toBe(byName.size);
        for (const { name: text, number } of numbered) expect(byNumber.get(number)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test('are given to every plain name of one character or more', () => {
    const text = '[{"a":1,"b":2,"long name":3},{"long name":4,"a":5,"b":6,"\\u0061":7,"":8,"c" :9}]';
    const doc = scan(Buffer.from(text), DEPTH);
    const numbers: Record<string, Set<number>> = {};
    for (const object of elementsOf(doc, TOP)) {
      for (const one of namesOf(doc, object)) {
        const spelling = kindOf(doc, one) === Kind.escapedString ? ', escaped' : '';
        (numbers[stringAt(doc, one) + spelling] ??= new Set()).add(numberOf(doc, one));
      }
    }
    const none = new Set([NO_NUMBER]);
    expect(numbers['a, escaped']).toEqual(none);
    expect(numbers['']).toEqual(none);
    expect(numbers['c']).toEqual(none);
    const plain = [numbers['a'], numbers['b'], numbers['long name']].flatMap((ones) =>
      Array.from(ones ?? []),
    );
    expect(new Set(plain).size).toBe(3);
    expect(plain).toHaveLength(3);
    expect(numbers['a']).not.toEqual(none);
  });

  test('run out, and names stay what they are', () => {
    const names = Array.from({ length: 5000 }, (_, i) => `name ${i} of many`);
    const numbered = namesIn(objectOf([...names, ...names]));
    expect(numbered.map((one) => one.name)).toEqual([...names, ...names]);
    expect(numbered.some(({ number }) => number === NO_NUMBER)).toBe(true);
    expect(new Set(numbered.map(({ number }) => number)).size).toBeGreaterThan(100);
  });

  test('are of one text: the next one numbers anew', () => {
    const [first] = namesIn('{"first":1}');
    const [second] = namesIn('{"other":1}');
    expect(second?.number).toBe(first?.number);
    expect(scan(Buffer.from('{}'), 1).serial).not.toBe(scan(Buffer.from('{}'), 1).serial);
  });
});
