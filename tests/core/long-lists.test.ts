import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce, coreExplain } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 100);

const PROPERTIES = Array.from({ length: 20 }, (_, index) => `p${index}`);
const TEXTS = [
  '1',
  '2',
  '2.0',
  '10',
  'x',
  'xy',
  'true',
  'True',
  '2026-01-01',
  '2026-01-01T00:00:00Z',
  'é',
  '',
];
const SPELT = ['"\\u0078"', '1', '2.0', '1e1', '12345678901234567890', '"\\ud83d"', 'true', 'false', 'null'];
const item = fc.constantFrom(...TEXTS.map((text) => JSON.stringify(text)), ...SPELT, '{}', '[1,["x"]]');
/** More values than are compared one by one. */
const list = fc.array(item, { minLength: 9, maxLength: 30 }).map((items) => `[${items.join(',')}]`);

const ofText = fc.record({
  type: fc.constant('STRING'),
  operator: fc.constantFrom(
    'EQUALS',
    'NOT_IN',
    'CONTAINS',
    'NOT_CONTAINS',
    'STARTS_WITH',
    'ENDS_WITH',
    'LESS',
  ),
  values: fc.uniqueArray(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 3 }),
});
const ofNumber = fc.record({
  type: fc.constantFrom('NUMBER', 'INTEGER'),
  operator: fc.constantFrom('EQUALS', 'NOT_IN', 'LESS', 'GREATER_EQUALS'),
  values: fc.uniqueArray(fc.constantFrom('1', '2', '10', '12345678901234567890'), {
    minLength: 1,
    maxLength: 2,
  }),
});
const ofInstant = fc.record({
  type: fc.constantFrom('DATE', 'DATETIME'),
  operator: fc.constantFrom('EQUALS', 'NOT_EQUALS', 'LESS', 'GREATER_EQUALS'),
  values: fc.constantFrom(['2026-01-01'], ['2025-12-31']),
});
const ofBoolean = fc.record({
  type: fc.constant('BOOLEAN'),
  operator: fc.constantFrom('EQUALS', 'NOT_EQUALS'),
  values: fc.constantFrom(['true'], ['false']),
});
const leaf = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: ofText }, ofNumber, ofInstant, ofBoolean),
    fc.constantFrom('a', 'a', 'json.b', 'a.#', '$..a'),
    fc.constantFrom('ANY', 'ALL'),
  )
  .map(([{ type, operator, values }, attribute, match]) => ({ type, operator, values, attribute, match }));

function privilege(column: string, read: object): object {
  const named = { attribute: 'column', operator: 'EQUALS', values: [column] };
  return {
    resourceType: 'columns',
    actions: [{ action: 'MASK', 'asset-attributes-filter': { AND: [named, read] } }],
  };
}

test('conditions of many properties on a long list hold as in the reference', async () => {
  const problems = fc.tuple(list, list, fc.array(leaf, { minLength: 9, maxLength: PROPERTIES.length }));
  await fc.assert(
    fc.asyncProperty(problems, async ([a, b, leaves]) => {
      const properties = PROPERTIES.map((name) => `"${name}":"v"`).join(',');
      const problem = {
        config: { attrName: 'column', object: 'table' },
        parameters: { root: 'rows' },
        vendor: {},
        jsonText: `{"b":${b},"rows":[{"a":${a},${properties}},{"a":[{"a":${b}}],${properties}}]}`,
        decision: {
          response: [
            {
              privileges: {
                allowed: leaves.map((read, index) => privilege(`p${index}`, read)),
                denied: [],
              },
            },
          ],
        },
      };
      expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
    }),
    { numRuns: RUNS },
  );
});

test('rules about assets apply to a record of many identifiers as in the reference', async () => {
  const id = fc.constantFrom('1', '2', '1.0', 'i1', 'i2', 'i3', 'é', '');
  const spelt = fc.oneof(
    id.map((text) => JSON.stringify(text)),
    fc.constantFrom('1', '2', '1.0', '"\\u0069\\u0031"', 'true', 'null', '{}'),
  );
  const rules = fc.array(
    fc.tuple(id, fc.constantFrom(...PROPERTIES), fc.constantFrom('MASK', 'set', 'FILTER')),
    {
      minLength: 1,
      maxLength: 30,
    },
  );
  const lists = fc.array(spelt, { minLength: 1, maxLength: 40 }).map((ids) => `["i0",${ids.join(',')}]`);
  await fc.assert(
    fc.asyncProperty(
      lists,
      lists,
      rules,
      fc.constantFrom('id', 'json.ids'),
      async (own, all, named, assetId) => {
        const properties = PROPERTIES.slice(0, 10).map((name) => `"${name}":"v"`);
        const access = named.map(([path, column, action]) => ({
          resourceType: 'Account',
          path: path === '' ? 'i0' : path,
          attributes: { column: [column] },
          actions: [{ action }],
        }));
        const problem = {
          config: { attrName: 'column', object: 'table', filter: true, filterDefault: 'allow' as const },
          parameters: { root: 'rows', calculationType: 'context', assetId, protectedObject: 'Account' },
          vendor: {},
          jsonText: `{"ids":${all},"rows":[{"id":${own},${properties.join(',')}},{"id":"i1","p1":"v"}]}`,
          decision: { response: [{ access, privileges: { allowed: [], denied: [] } }] },
        };
        expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
      },
    ),
    { numRuns: RUNS },
  );
});

test('a value of a long list that does not read as a date is counted once, however many conditions compare it', async () => {
  const values = Array.from({ length: 100 }, (_, index) => `"x${index}"`);
  const properties = PROPERTIES.map((name) => `"${name}":"v"`);
  const allowed = PROPERTIES.map((name, index) =>
    privilege(name, { attribute: 'a', type: 'DATE', operator: 'LESS', values: [`20${index + 10}-01-01`] }),
  );
  const problem = {
    config: { attrName: 'column', object: 'table' },
    parameters: {},
    vendor: {},
    jsonText: `[{"a":[${values.join(',')}],${properties.join(',')}}]`,
    decision: { response: [{ privileges: { allowed, denied: [] } }] },
  };
  const { counts } = await coreExplain(problem, undefined);
  expect(counts?.unreadable).toBe(100);
});
