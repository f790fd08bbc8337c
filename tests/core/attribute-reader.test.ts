import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 40);

/** Some are spelt with escapes. */
const name = fc.constantFrom(
  'a',
  'b',
  'ab',
  'a1',
  'b1',
  'é',
  '#',
  'json',
  '\\u0061',
  'a\\u0062',
  '\\u00e9',
  'c\\u0037',
);
const scalar = fc.constantFrom('1', '2', '"x"', '"\\u0078"', 'null', 'true');
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  fc.tuple(name, scalar).map(([key, of]) => `[{"${key}":${of}},{}]`),
  fc.array(fc.tuple(name, scalar), { maxLength: 3 }).map(objectOf),
);
const MASKED = Array.from({ length: 24 }, (_, place) => [`s${place}`, '"s"'] as const);

/** Some have so many members that all attributes are read at once. */
const record = fc
  .tuple(
    fc.array(fc.tuple(name, value), { maxLength: 4 }),
    fc.constantFrom(0, 0, 120),
    fc.array(fc.tuple(name, value), { maxLength: 3 }),
  )
  .map(([before, filling, after]) => {
    const others = Array.from({ length: filling }, (_, index) => [`c${index}`, '1'] as const);
    return objectOf([...before, ...others, ...after, ...MASKED]);
  });
const attribute = fc.constantFrom(
  'a',
  'b',
  'ab',
  'c7',
  'a.b',
  'b.#',
  '#.a',
  '*',
  'a*',
  '?1',
  'c?',
  '*.a',
  '$..b',
  '$..a.#',
  'json.a',
  'é',
);
/** Each leaf decides about a property of its own. */
const masks = fc
  .array(
    fc.record({
      attribute,
      operator: fc.constantFrom('EQUALS', 'NOT_EQUALS', 'LESS', 'CONTAINS'),
      type: fc.constantFrom('STRING', 'NUMBER'),
      values: fc.constantFrom(['1'], ['2'], ['3', '1']),
      match: fc.constantFrom('ANY', 'ALL'),
    }),
    { minLength: 1, maxLength: 24 },
  )
  .map((leaves) =>
    leaves.map((leaf, place) => ({
      resourceType: 'columns',
      actions: [{ action: 'MASK', 'asset-attributes-filter': { AND: [columnOf(place), leaf] } }],
    })),
  );

function columnOf(place: number): object {
  return { attribute: 'column', operator: 'EQUALS', values: [`s${place}`] };
}

function objectOf(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([key, of]) => `"${key}":${of}`).join(',')}}`;
}

test('many attributes of a record, small or large, are what the reference reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 3 }), masks, async (records, allowed) => {
      const problem = {
        config: { attrName: 'column', filter: false },
        parameters: {},
        vendor: {},
        jsonText: `[${records.join(',')}]`,
        decision: { response: [{ access: [], privileges: { allowed, denied: [] } }] },
      };
      expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
    }),
    { numRuns: RUNS },
  );
});
