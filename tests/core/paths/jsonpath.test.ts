import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { JSONPath } from 'jsonpath-plus';
import * as z from 'zod';
import { scan } from '../../../src/core/json/scan.ts';
import { TOP } from '../../../src/core/json/document.ts';
import { valueAt } from '../../../src/core/json/value.ts';
import { Automaton } from '../../../src/core/paths/automaton.ts';
import { parsePath } from '../../../src/core/paths/parse.ts';
import { visitMatches } from '../../../src/core/paths/select.ts';

/** What stands where a path leads, in the order of the text, each value once. */
function select(text: string, path: string): unknown[] {
  const doc = scan(Buffer.from(text), 5000);
  const found: unknown[] = [];
  visitMatches(doc, TOP, new Automaton([parsePath(path)]).start, 'all', (node) =>
    found.push(valueAt(doc, node)),
  );
  return found;
}

const leaves = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom('x', null, true));
/** Objects in objects: what to do where a name meets an array is where this product and the library differ. */
const nested = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaves,
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const json = fc.dictionary(fc.constantFrom('a', 'b', 'c'), nested, { maxKeys: 3 });
const step = fc.constantFrom('.a', '.b', '.*', '..a', '..*', "['c']", "['a','b']", '[*]');
const steps = fc.array(step, { minLength: 1, maxLength: 4 });

/** `[*]` with more behind it means an object itself as well, in place of a list: the paths with it and without. */
function readingsOf([first, ...rest]: readonly string[]): readonly string[] {
  if (first === undefined) return [''];
  const behind = readingsOf(rest);
  const readings = behind.map((one) => first + one);
  return first === '[*]' && rest.length > 0 ? [...readings, ...behind] : readings;
}

function selectedByLibrary(value: object, path: string): unknown[] {
  return z.array(z.unknown()).parse(JSONPath({ path, json: value, eval: false, wrap: true }));
}

describe('a JSONPath leads where jsonpath-plus says', () => {
  test('in generated objects', () => {
    fc.assert(
      fc.property(json, steps, (value, written) => {
        const expected = readingsOf(written).flatMap((one) => selectedByLibrary(value, `$${one}`));
        expect(distinct(select(JSON.stringify(value), `$${written.join('')}`))).toEqual(distinct(expected));
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['$[0]', '$[1:]', '$[:2]', '$[::2]', '$[-2:]', '$[0,2]', '$[*]', '$..[0]'])(
    'for the elements of an array: %s',
    (expression) => {
      const elements = ['p', 'q', 'r', 's'];
      const expected: unknown = JSONPath({ path: expression, json: elements, eval: false, wrap: true });
      expect(select(JSON.stringify(elements), expression)).toEqual(expected);
    },
  );
});

describe('selecting', () => {
  test('finds a property at every depth that the configuration allows', () => {
    const depth = 1024;
    expect(select(`${'{"x":'.repeat(depth)}1${'}'.repeat(depth)}`, '$..x')).toHaveLength(depth);
  });

  test('counts a negative index from the end of the array', () => {
    expect(select('["p","q","r"]', '$[-1]')).toEqual(['r']);
  });

  test('visits each value once, however many ways lead there', () => {
    expect(select('{"a":{"a":{"a":1}}}', '$..*..*')).toHaveLength(2);
  });

  test('meets a name at all its places in an object', () => {
    expect(select('{"a":1,"\\u0061":2}', 'a')).toEqual([1, 2]);
  });

  test('takes __proto__ for a name like any other', () => {
    expect(select('{"__proto__":{"ssn":1}}', '__proto__.ssn')).toEqual([1]);
    expect(select('{}', '__proto__.toString')).toEqual([]);
  });
});

/** Values without regard to their order and to how often they stand there. */
function distinct(values: readonly unknown[]): Set<string> {
  return new Set(values.map((one) => JSON.stringify(one)));
}
