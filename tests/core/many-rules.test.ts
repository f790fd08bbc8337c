import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 300);

const NAMES = ['a', 'b', 'c', 'd.e'];
const scalar = fc.constantFrom(1, '1', 'x', 'y', true, null, '2026-01-01', 'xy', [], ['x', 1], {});

const record = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 's', 't'), scalar, { maxKeys: 5 });

const onRecord = fc.record({
  attribute: fc.constantFrom('s', 't', 'd.e', 'a'),
  operator: fc.constantFrom('EQUALS', 'EQUALS', 'EQUALS', 'IN', 'NOT_EQUALS', 'CONTAINS', 'STARTS_WITH'),
  values: fc.array(fc.constantFrom('1', 'x', 'y', 'xy', 'true'), { minLength: 1, maxLength: 12 }),
  match: fc.constantFrom('ANY', 'ANY', 'ALL'),
});
const typed = fc.constantFrom(
  { attribute: 's', operator: 'EQUALS', values: ['1.0', '2'], type: 'NUMBER' },
  { attribute: 't', operator: 'EQUALS', values: ['2026-01-01T00:00:00Z'], type: 'DATETIME' },
  { attribute: 's', operator: 'EQUALS', values: ['TRUE'], type: 'BOOLEAN' },
);
const column = fc
  .constantFrom(...NAMES)
  .map((name) => ({ attribute: 'column', operator: 'EQUALS', values: [name] }));
const part = fc.oneof({ weight: 4, arbitrary: onRecord }, { weight: 1, arbitrary: typed });
const tree = fc.oneof(
  fc.tuple(column, part).map((AND) => ({ AND })),
  fc.tuple(column, fc.array(part, { maxLength: 3 })).map(([name, OR]) => ({ AND: [name, { OR }] })),
  fc.tuple(column, part, part).map((AND) => ({ AND })),
  part,
  column,
);
const privilege = fc
  .record({
    tree,
    action: fc.constantFrom('MASK', 'set', 'other', '2::first', 'FILTER', 'remove()'),
    isDry: fc.boolean(),
  })
  .map(({ tree: condition, action, isDry }) => ({
    resourceType: 'columns',
    actions: [{ action, 'asset-attributes-filter': condition }],
    policies: [{ name: `p-${action}`, metadata: isDry ? { DRY_RUN: 'id' } : {} }],
  }));

test('many rules about few properties do what the reference says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 4 }),
      fc.array(privilege, { minLength: 5, maxLength: 24 }),
      fc.array(privilege, { maxLength: 8 }),
      fc.boolean(),
      async (records, allowed, denied, filter) => {
        const problem = {
          config: { attrName: 'column', object: 'table', filter, filterDefault: 'allow' as const },
          parameters: {},
          vendor: { entityId: 'jane' },
          jsonText: JSON.stringify(records.map((one, id) => ({ id, ...one }))),
          decision: { response: [{ access: [], privileges: { allowed, denied } }] },
        };
        expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
      },
    ),
    { numRuns: RUNS },
  );
});
