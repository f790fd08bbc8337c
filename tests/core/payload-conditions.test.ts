import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce, coreExplain } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 300);

const scalar = fc.constantFrom('1', '2', '"1"', '"x"', 'true', 'null', '{}');
const values = fc.array(scalar, { maxLength: 4 }).map((list) => `[${list.join(',')}]`);
/** Records of which some have a property that is named as the payload is. */
const records = fc.array(
  fc.oneof(
    fc.constant('{"ssn":"1"}'),
    values.map((own) => `{"ssn":"1","json":{"mode":${own}}}`),
  ),
  { maxLength: 4 },
);
function leafOn(attributes: readonly string[]) {
  return fc.record({
    attribute: fc.constantFrom(...attributes),
    operator: fc.constantFrom('EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN', 'CONTAINS'),
    values: fc.uniqueArray(fc.constantFrom('1', '2', 'x'), { minLength: 1, maxLength: 2 }),
    match: fc.constantFrom('ANY', 'ALL'),
  });
}

const leaf = leafOn(['json.mode', 'json.mode', '$.mode', 'json.other']);
/** More than a few rules, so that they are found by the values that they need. */
const privileges = fc.array(
  fc
    .tuple(leaf, fc.constantFrom('MASK', 'set', 'FILTER'), fc.constantFrom('ssn', 'name'))
    .map(([read, action, column]) => ({
      resourceType: 'columns',
      actions: [
        {
          action,
          'asset-attributes-filter': {
            AND: [
              ...(action === 'FILTER' ? [] : [{ attribute: 'column', operator: 'EQUALS', values: [column] }]),
              read,
            ],
          },
        },
      ],
    })),
  { minLength: 1, maxLength: 8 },
);

/** Paths that lead to the records, to the rest of the payload, or to both. */
const ANYWHERE = [
  '$..mode',
  '$..a',
  '$..others..a',
  '$.*.a',
  '*.a',
  'json.*.a',
  '$..rows[*].mode',
  '$..[0]',
  '$.*',
];

test('conditions that may lead beside the records hold as in the reference, however many are read together', async () => {
  const wide = leafOn(ANYWHERE);
  const allowed = fc.array(wide, { minLength: 1, maxLength: 9 }).map((leaves) =>
    leaves.map((one, at) => ({
      resourceType: 'columns',
      actions: [
        {
          action: ['MASK', 'set', 'FILTER'][at % 3],
          'asset-attributes-filter': {
            AND: [
              ...(at % 3 === 2 ? [] : [{ attribute: 'column', operator: 'EQUALS', values: ['ssn'] }]),
              one,
            ],
          },
        },
      ],
    })),
  );
  const rows = fc.array(
    fc.constantFrom(
      '{"ssn":"1"}',
      '{"ssn":"1","mode":"x"}',
      '{"ssn":"1","a":"2"}',
      '{"ssn":1,"others":{"a":1}}',
      '[]',
      '1',
    ),
    { maxLength: 3 },
  );
  const others = fc.constantFrom(
    '{}',
    '{"a":"1"}',
    '{"mode":"x","a":["2"]}',
    '[{"a":"x"}]',
    '{"rows":[{"mode":"1"}]}',
  );
  const roots = fc.constantFrom('rows', 'rows.#', '$.rows[0,1]', '$..rows[*]', undefined);
  await fc.assert(
    fc.asyncProperty(rows, others, values, allowed, roots, async (list, beside, mode, rules, root) => {
      const problem = {
        config: { attrName: 'column', object: 'table', filter: true, filterDefault: 'allow' as const },
        parameters: root === undefined ? {} : { root },
        vendor: {},
        jsonText: `{"mode":${mode},"rows":[${list.join(',')}],"others":${beside}}`,
        decision: { response: [{ privileges: { denied: [], allowed: rules } }] },
      };
      expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
    }),
    { numRuns: RUNS },
  );
});

test('conditions on the payload hold as in the reference, whatever records add to what they read', async () => {
  const problems = fc.tuple(records, values, privileges, fc.boolean());
  await fc.assert(
    fc.asyncProperty(problems, async ([rows, mode, allowed, isDenied]) => {
      const problem = {
        config: { attrName: 'column', object: 'table', filter: true, filterDefault: 'allow' as const },
        parameters: { root: 'rows' },
        vendor: {},
        jsonText: `{"mode":${mode},"rows":[${rows.join(',')}]}`,
        decision: {
          response: [{ privileges: isDenied ? { denied: allowed, allowed: [] } : { denied: [], allowed } }],
        },
      };
      expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
    }),
    { numRuns: RUNS },
  );
});

test.each([1, 10])(
  '%d conditions compare a list of the payload once each, not for each record',
  async (count) => {
    const list = Array.from({ length: 100 }, (_, index) => `"x${index}"`).join(',');
    const rows = Array.from({ length: 100 }, () => '{"ssn":"1"}').join(',');
    const allowed = Array.from({ length: count }, (_, index) => ({
      resourceType: 'columns',
      actions: [
        {
          action: 'MASK',
          'asset-attributes-filter': {
            AND: [
              { attribute: 'column', operator: 'EQUALS', values: ['ssn'] },
              { attribute: 'json.mode', type: 'NUMBER', operator: 'EQUALS', values: [String(index)] },
            ],
          },
        },
      ],
    }));
    const problem = {
      config: { attrName: 'column', object: 'table' },
      parameters: { root: 'rows' },
      vendor: {},
      jsonText: `{"mode":[${list}],"rows":[${rows}]}`,
      decision: { response: [{ privileges: { allowed, denied: [] } }] },
    };
    const { status, counts } = await coreExplain(problem, undefined);
    expect(status).toBe(200);
    expect(counts?.unreadable).toBeGreaterThanOrEqual(100);
    expect(counts?.unreadable).toBeLessThanOrEqual(100 * count);
  },
);
