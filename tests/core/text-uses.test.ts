import { expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { JointTrail } from '../../src/core/plan/joint-trail.ts';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 300);

/** Few digits, so that indexes and names have several of them, and some that a dot may follow. */
const text = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('1', '2', '3') },
  fc.constantFrom('12', '21', '0', '1.1', '2.', '.2', 'n1', '1.a', 'json', 'json.1', '#', 'rows.1', 'a.s'),
);
const OTHERS = [
  { attribute: 'column', type: 'STRING', operator: 'NOT_EQUALS', values: ['a'] },
  { attribute: 'column', type: 'STRING', operator: 'EQUALS', values: ['ssn'] },
  { attribute: 'column', type: 'STRING', operator: 'ENDS_WITH', values: ['1', 'n'] },
  { attribute: 'column', type: 'STRING', operator: 'IN', values: ['#.ssn', '*.a'] },
  { attribute: 'column', type: 'STRING', operator: 'EQUALS', values: ['$..a'] },
  { attribute: 'table', type: 'STRING', operator: 'EQUALS', values: ['a'] },
  { attribute: 'ssn', type: 'STRING', operator: 'NOT_EQUALS', values: ['1'] },
] as const;

/** Paths as values, which wildcards and indexes may cover. */
const path = fc.oneof(
  fc.constantFrom(
    'n*',
    '*1',
    '*2*',
    'a',
    'n1',
    'n12',
    '#',
    '0',
    '1',
    '2',
    '2.a',
    '*.a',
    'a.*',
    'ssn',
    'a.ssn',
    '*.ssn',
  ),
  fc.constantFrom(
    'json',
    'json.1',
    'json.*',
    'json.#.a',
    'rows',
    'rows.*',
    'rows.1.a',
    '$[1].a',
    '$..ssn',
    '$[*]',
    '$[-1]',
  ),
);
const PATH_OPERATORS = ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN'];

/** Rules of one form or two. */
const rules = fc
  .tuple(
    fc.constantFrom('table', 'column', undefined),
    fc.constantFrom('CONTAINS', 'CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH', undefined),
    fc.subarray([...OTHERS], { maxLength: 2 }),
  )
  .chain(([attribute, operator, others]) => {
    const search = fc.record({
      attribute: attribute ? fc.constant(attribute) : fc.constantFrom('table', 'column'),
      operator: operator
        ? fc.constant(operator)
        : fc.constantFrom('CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH'),
      values: fc.array(text, { minLength: 1, maxLength: 2 }),
    });
    const named = fc.record({
      attribute: attribute ? fc.constant(attribute) : fc.constantFrom('table', 'column'),
      operator: fc.constantFrom(...PATH_OPERATORS),
      values: fc.array(path, { minLength: 1, maxLength: 2 }),
    });
    const tree = fc.oneof(
      { weight: 6, arbitrary: search },
      { weight: 4, arbitrary: named },
      { weight: 2, arbitrary: fc.tuple(named, fc.constantFrom(...others, ...OTHERS)).map(allOf) },
      { weight: 3, arbitrary: fc.tuple(search, fc.constantFrom(...others, ...OTHERS)).map(allOf) },
      fc.tuple(search, search).map((OR) => ({ OR })),
      fc.tuple(search, search).map(allOf),
    );
    return fc.array(fc.tuple(tree, action, fc.nat({ max: 4 })).map(ruleOf), { minLength: 2, maxLength: 5 });
  });
const action = fc.constantFrom('MASK', 'set', 'last(1)', '2::first(1)', 'remove()');

function allOf(AND: readonly object[]): object {
  return { AND };
}

function ruleOf([condition, what, dry]: readonly [object, string, number]): object {
  return {
    resourceType: 'columns',
    actions: [{ action: what, 'asset-attributes-filter': condition }],
    policies: [{ name: `p${what}`, metadata: dry === 0 ? { DRY_RUN: 'ssn' } : {} }],
  };
}

const record = fc.constantFrom(
  '{"a":{"ssn":"12"},"ssn":"1"}',
  '{"n1":{"ssn":"345"},"2":"x"}',
  '{"n12":["345",{"a":"b21"}]}',
  '["67",{"ssn":"89"},"12"]',
  '"scalar"',
  '{"1.a":{"ssn":"x"},"a":{}}',
);
const list = fc
  .array(record, { size: 'max', minLength: 1, maxLength: 30 })
  .map((records) => `[${records.join(',')}]`);
/** A payload, and what the request and the configuration say of its root. */
const place = fc.constantFrom(
  [(rows: string) => rows, undefined, undefined] as const,
  [(rows: string) => rows, undefined, undefined] as const,
  [(rows: string) => rows, undefined, 'rows'] as const,
  [(rows: string) => `{"rows":${rows}}`, undefined, 'rows'] as const,
  [(rows: string) => `{"rows":${rows},"a":"1"}`, 'rows', undefined] as const,
  [(rows: string) => `{"n1":${rows},"n12":{"ssn":"1"}}`, 'n*', undefined] as const,
  [(rows: string) => `{"r":[${rows}],"2":[]}`, 'r.#', undefined] as const,
);

test('rules that differ in what they say of one name are enforced as the reference enforces each', async () => {
  await fc.assert(
    fc.asyncProperty(list, place, rules, async (rows, [payload, root, rootWord], allowed) => {
      const problem = problemWith(payload(rows), allowed, root, rootWord);
      expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
    }),
    { numRuns: RUNS },
  );
});

test('rules that look for texts of their own under conditions of their own are followed together', async () => {
  const allowed = Array.from({ length: 40 }, (_rule, at) =>
    ruleOf([
      {
        AND: [
          { attribute: 'column', operator: 'CONTAINS', values: [`n${at}`] },
          { attribute: 'x', operator: 'NOT_EQUALS', values: [String(at)] },
        ],
      },
      'MASK',
      1,
    ]),
  );
  const steps = jest.spyOn(JointTrail.prototype, 'to');
  await coreEnforce(problemWith('[{"n1":1,"n2":2,"n3":3}]', allowed));
  expect(steps.mock.calls.length).toBeLessThan(20);
  steps.mockRestore();
});

test('indexes in which the same rule comes first are one step, however many texts they have in them', async () => {
  const allowed = Array.from({ length: 40 }, (_rule, at) => ({
    resourceType: 'columns',
    actions: [
      {
        action: 'MASK',
        'asset-attributes-filter': { attribute: 'table', operator: 'CONTAINS', values: [String(at)] },
      },
    ],
  }));
  const records = Array.from({ length: 5000 }, () => '{"a":{"ssn":1}}');
  const steps = jest.spyOn(JointTrail.prototype, 'to');
  await coreEnforce(problemWith(`[${records.join(',')}]`, allowed));
  expect(steps.mock.calls.length).toBeLessThan(20_000);
  steps.mockRestore();
});

function problemWith(jsonText: string, allowed: readonly object[], root?: string, rootWord?: string) {
  return {
    config: { attrName: 'column', object: 'table', filter: false, rootWord },
    parameters: root === undefined ? {} : { root },
    vendor: {},
    jsonText,
    decision: { response: [{ access: [], privileges: { allowed, denied: [] } }] },
  };
}
