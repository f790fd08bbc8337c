import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { NumberText, type Explanation, type JsonValue } from '../../src/core/index.ts';
import { differingPlaces } from '../../src/policy-tests/differing-places.ts';

/** An explanation of a payload from which records and properties were removed. */
function removing(records: readonly string[], properties: readonly string[] = []): Explanation {
  return {
    rules: [],
    records: records.map((pointer) => ({ pointer, kept: false, because: [] })),
    changes: properties.map((pointer) => ({ pointer, effect: 'removed', lost: [] })),
  };
}

const LONG = new NumberText('1.00000000000000000001');
const LONGER = new NumberText('1.000000000000000000011');

describe('the places at which an answer is not what is expected', () => {
  test.each<[string, JsonValue, JsonValue, JsonValue, string[]]>([
    ['a scalar', { a: 1, b: [2] }, { a: 1, b: [3] }, { a: 0, b: [0] }, ['/b/0']],
    ['the payload itself', null, {}, {}, ['']],
    ['a type', { a: { b: 1 } }, { a: [1] }, { a: {} }, ['/a']],
    ['a name that is missing', { a: 1, 'x/y': 2 }, { a: 1 }, { a: 1 }, ['/x~1y']],
    ['a name that was not expected', { a: 1 }, { a: 1, b: 2 }, { a: 1 }, ['/b']],
    ['a long number', { a: LONG }, { a: LONGER }, { a: LONG }, ['/a']],
    ['a list that was replaced', [1], [2], 'x', ['']],
  ])('are those of %s', (_name, expected, actual, payload, places) => {
    expect(differingPlaces({ expected, actual, payload, explanation: removing([]) })).toEqual(places);
  });

  test.each([
    ['a record that was expected', ['a', 'b', 'c'], ['a', 'c'], ['/1']],
    ['the first and last ones', ['a', 'b', 'c'], ['b'], ['/0', '/1', '/2']],
    ['the last one', ['a', 'b', 'c'], ['a', 'b'], ['/2']],
  ])('are those of the removed elements: %s', (_name, expected, actual, places) => {
    const removed = expected.flatMap((one, i) => (actual.includes(one) ? [] : [`/${i}`]));
    const explanation = removing(removed);
    expect(differingPlaces({ expected, actual, payload: expected, explanation })).toEqual(places);
  });

  test('are those of a removed element that is like the one before', () => {
    const lists = { expected: ['a', 'a'], actual: ['a'], payload: ['a', 'a'] };
    expect(differingPlaces({ ...lists, explanation: removing(['/1']) })).toEqual(['/1']);
  });

  test('are not those of elements before them that were to be removed', () => {
    const lists = { expected: ['b', 'c', 'd'], actual: ['b', 'd'], payload: ['a', 'b', 'c', 'd'] };
    expect(differingPlaces({ ...lists, explanation: removing(['/0', '/2']) })).toEqual(['/2']);
  });

  test('is the list, if an element is expected that the payload does not have', () => {
    const lists = { expected: { r: [1, 2, 3] }, actual: { r: [1, 2] }, payload: { r: [1, 2] } };
    expect(differingPlaces({ ...lists, explanation: removing([]) })).toEqual(['/r']);
  });

  test('are found behind any elements that were removed', () => {
    const element = fc.record({ n: fc.integer(), isRemoved: fc.boolean() });
    const lists = fc.tuple(
      fc.array(element, { maxLength: 10 }),
      fc.integer(),
      fc.array(element, { maxLength: 10 }),
    );
    const found = fc.property(lists, ([before, n, after]) => {
      const elements = [...before, { n, isRemoved: false }, ...after];
      const answered = (wrong: number): JsonValue => ({
        rows: elements.flatMap((one, i) =>
          one.isRemoved ? [] : [{ n: i === before.length ? wrong : one.n }],
        ),
      });
      const removed = elements.flatMap(({ isRemoved }, i) => (isRemoved ? [`/rows/${i}`] : []));
      const payload = { rows: elements.map((one) => ({ n: one.n })) };
      for (const explanation of [removing(removed), removing([], removed)])
        expect(
          differingPlaces({ expected: answered(n + 1), actual: answered(n), payload, explanation }),
        ).toEqual([`/rows/${before.length}/n`]);
    });
    fc.assert(found);
  });
});
