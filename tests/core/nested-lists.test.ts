import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 500);

const value = fc.constantFrom(
  '1',
  '"x"',
  'null',
  '{}',
  '{"a":1}',
  '{"a":[[1],"y"]}',
  '{"b":{"a":"x"}}',
  '12',
  '[]',
);
/** Lists in lists, with space between what is in them. */
const { list } = fc.letrec<{ list: string; item: string }>((tie) => ({
  list: fc
    .tuple(fc.array(tie('item'), { maxLength: 4 }), fc.constantFrom('', ' ', '\n  '))
    .map(([items, space]) => `[${space}${items.join(`${space},${space}`)}${space}]`),
  item: fc.oneof({ weight: 3, arbitrary: value }, tie('list')),
}));
const payload = fc.oneof(
  list,
  fc.tuple(list, list).map(([one, other]) => `{"a":${one},"b":${other}}`),
  list.map((one) => `[{"a":${one}},{"b":1}]`),
);
const action = fc.constantFrom('MASK', 'MASK', 'remove()', 'set', 'null()');
const property = fc.constantFrom('a', 'a.#', 'b', 'b.#.a', '$..a', '*', 'a.0');
const access = fc.tuple(property, action).map(([column, text]) => ({
  resourceType: 'columns',
  attributes: { column: [column] },
  actions: [{ action: text }],
}));
const everything = fc.tuple(action, fc.boolean()).map(([text, isDry]) => ({
  resourceType: 'columns',
  actions: [{ action: text, 'asset-attributes-filter': { AND: [] } }],
  policies: [{ name: 'everything', metadata: isDry ? { DRY_RUN: 'a' } : {} }],
}));

test('values in lists in lists are changed and removed as the reference does', async () => {
  await fc.assert(
    fc.asyncProperty(
      payload,
      fc.array(access, { maxLength: 2 }),
      fc.array(everything, { maxLength: 2 }),
      async (jsonText, entries, allowed) => {
        const problem = {
          config: { attrName: 'column', object: 'table', filter: false },
          parameters: {},
          vendor: {},
          jsonText,
          decision: { response: [{ access: entries, privileges: { allowed, denied: [] } }] },
        };
        expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
      },
    ),
    { numRuns: RUNS },
  );
});
