import { expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Trail } from '../../src/core/plan/trail.ts';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 300);

/** Few digits, so that indexes and names have several of them, and some that a dot may follow. */
const text = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('1', '2', '3') },
  fc.constantFrom('12', '21', '0', '1.1', '2.', '.2', 'n1', '1.a'),
);
const OTHERS = [
  { attribute: 'column', type: 'STRING', operator: 'NOT_EQUALS', values: ['a'] },
  { attribute: 'column', type: 'STRING', operator: 'EQUALS', values: ['ssn'] },
  { attribute: 'column', type: 'STRING', operator: 'ENDS_WITH', values: ['1', 'n'] },
  { attribute: 'table', type: 'STRING', operator: 'EQUALS', values: ['a'] },
  { attribute: 'ssn', type: 'STRING', operator: 'NOT_EQUALS', values: ['1'] },
] as const;

/** Rules of one form or two. */
const rules = fc
  .tuple(
    fc.constantFrom('table', 'column', undefined),
    fc.constantFrom('CONTAINS', 'CONTAINS', 'NOT_CONTAINS', undefined),
    fc.subarray([...OTHERS], { maxLength: 2 }),
  )
  .chain(([attribute, operator, others]) => {
    const search = fc.record({
      attribute: attribute ? fc.constant(attribute) : fc.constantFrom('table', 'column'),
      operator: operator ? fc.constant(operator) : fc.constantFrom('CONTAINS', 'NOT_CONTAINS'),
      values: fc.array(text, { minLength: 1, maxLength: 2 }),
    });
    const tree = fc.oneof(
      { weight: 6, arbitrary: search },
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
const payload = fc
  .array(record, { size: 'max', minLength: 1, maxLength: 30 })
  .map((records) => `[${records.join(',')}]`);

test('rules that differ in the text that they look for are enforced as the reference enforces each', async () => {
  await fc.assert(
    fc.asyncProperty(payload, rules, async (jsonText, allowed) => {
      const problem = problemWith(jsonText, allowed);
      expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
    }),
    { numRuns: RUNS },
  );
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
  const steps = jest.spyOn(Trail.prototype, 'to');
  await coreEnforce(problemWith(`[${records.join(',')}]`, allowed));
  expect(steps.mock.calls.length).toBeLessThan(20_000);
  steps.mockRestore();
});

function problemWith(jsonText: string, allowed: readonly object[]) {
  return {
    config: { attrName: 'column', object: 'table', filter: false },
    parameters: {},
    vendor: {},
    jsonText,
    decision: { response: [{ access: [], privileges: { allowed, denied: [] } }] },
  };
}
