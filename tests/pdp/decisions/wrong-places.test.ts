import { afterEach, expect, jest, test } from '@jest/globals';
import { SETTINGS } from '../../../bench/hostile/enforcing.ts';
import type { JsonValue } from '../../../src/core/index.ts';
import { readCondition } from '../../../src/pdp/decisions/resolution/condition.ts';
import { readUcast } from '../../../src/pdp/protocols/opa/ucast.ts';

const DEPTH = 200;
const LEAVES = 2000;

afterEach(() => void jest.restoreAllMocks());

/** How many elements of arrays are copied or looped over. */
function iterated(run: () => void): number {
  const { values } = Array.prototype;
  let count = 0;
  jest.spyOn(Array.prototype, Symbol.iterator).mockImplementation(function (this: unknown[]) {
    count += this.length;
    return values.call(this);
  });
  run();
  jest.restoreAllMocks();
  return count;
}

function nested(group: (of: JsonValue[]) => JsonValue, leaf: (index: number) => JsonValue): JsonValue {
  let tree = group(Array.from({ length: LEAVES }, (_one, index) => leaf(index)));
  for (let depth = 1; depth < DEPTH; depth++) tree = group([tree]);
  return tree;
}

function operatorAt(index: number, known: string): string {
  return index === LEAVES - 1 ? 'unknown' : known;
}

const UCAST = nested(
  (value) => ({ type: 'compound', operator: 'and', value }),
  (index) => ({ type: 'field', operator: operatorAt(index, 'eq'), field: `f${index}`, value: 'x' }),
);
const TREE = nested(
  (AND) => ({ AND }),
  (index) => ({ attribute: `f${index}`, operator: operatorAt(index, 'EQUALS'), values: ['x'] }),
);

test.each([
  ['UCAST', () => readUcast(UCAST, { ...SETTINGS, protectedObject: undefined }, ['query'])],
  ['of the resolution protocol', () => readCondition(TREE, SETTINGS, ['query'])],
])('of a deep condition %s that is wrong, only the place of what is wrong is made', (_whose, read) => {
  const made = iterated(() => {
    expect(read).toThrow('an unknown operator at /query/');
  });
  expect(made).toBeLessThan(DEPTH * DEPTH * 2 + LEAVES * 50);
});
