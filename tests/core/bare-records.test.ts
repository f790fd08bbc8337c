import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 500);

const record = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('{}', '1', '"x"', 'null', 'true') },
  fc.constantFrom('{"s":"x"}', '{"s":"y"}', '[{}]', '{"#":"x"}'),
);
const records = fc.array(record, { minLength: 1, maxLength: 14 }).map((some) => `[${some.join(',')}]`);
const payload = fc.oneof(
  fc.record({ jsonText: records, parameters: fc.constant({}) }),
  fc.record({
    jsonText: fc.tuple(records, records).map(([one, other]) => `{"k1":${one},"mode":"x","k2":${other}}`),
    parameters: fc.constantFrom({ root: 'k*' }, { root: 'k2' }),
  }),
);
const filter = fc
  .record({
    attribute: fc.constantFrom('s', '#', '#.s', 'json.mode', 'k1.3.s', '6.s', 'k2.#.s', 'json.k1.s', '*'),
    operator: fc.constantFrom('EQUALS', 'NOT_EQUALS', 'NOT_IN', 'LESS'),
    values: fc.array(fc.constantFrom('x', 'y', '1'), { minLength: 1, maxLength: 2 }),
  })
  .map((leaf) => ({
    resourceType: 'columns',
    actions: [{ action: 'FILTER', 'asset-attributes-filter': leaf }],
  }));
const everything = {
  resourceType: 'columns',
  actions: [{ action: 'MASK', 'asset-attributes-filter': { AND: [] } }],
};

test('records without properties are filtered and masked as the reference does, one after another', async () => {
  await fc.assert(
    fc.asyncProperty(
      payload,
      fc.array(filter, { minLength: 1, maxLength: 3 }),
      fc.array(filter, { maxLength: 2 }),
      fc.boolean(),
      async ({ jsonText, parameters }, allowed, denied, isMasked) => {
        const problem = {
          config: { attrName: 'column', object: 'table', filter: true, filterDefault: 'allow' as const },
          parameters,
          vendor: {},
          jsonText,
          decision: {
            response: [
              { access: [], privileges: { allowed: isMasked ? [everything, ...allowed] : allowed, denied } },
            ],
          },
        };
        expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
      },
    ),
    { numRuns: RUNS },
  );
});
