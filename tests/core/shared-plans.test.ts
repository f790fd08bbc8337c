import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Plans } from '../../src/enforcement/index.ts';
import type { EnforcementProblem } from '../reference/enforce.ts';
import { coreEnforce } from './core.ts';

/** Few paths, so that decisions often have the same ones: the shortest, and some that look like others. */
const PATHS = [
  '$',
  '#',
  '*',
  'json',
  'a',
  'b',
  'a.b',
  'a|b',
  '1.a',
  '$[*]',
  '$..a',
  "$['a','b']",
  '$[0]',
  '$[0:]',
];
const PAYLOADS = [
  '{"a":"x"}',
  '[{"a":{"b":"x"},"b":["y"]},{"a|b":"z"}]',
  '["x",{"1":{"a":"y"}}]',
  '{"result":{"b":"x"}}',
];

const column = fc.constantFrom(...PATHS);
const action = fc.constantFrom('MASK', 'MASK', 'L', 'remove()');
const entry = fc.record({
  path: fc.constant('p'),
  resourceType: fc.constant('columns'),
  attributes: fc.record({ column: fc.array(column, { minLength: 1, maxLength: 2 }) }),
  actions: action.map((one) => [{ action: one }]),
});
const tree = column.map((name) => ({ attribute: 'column', operator: 'EQUALS', values: [name] }));
const privilege = fc.record({
  resourceType: fc.constant('columns'),
  actions: fc
    .record({ action, 'asset-attributes-filter': fc.option(tree, { nil: undefined }) })
    .map((one) => [one]),
});
const decision = fc.record({
  access: fc.array(entry, { maxLength: 2 }),
  privileges: fc.record({ allowed: fc.array(privilege, { maxLength: 1 }) }),
});
const problem: fc.Arbitrary<EnforcementProblem> = fc.record({
  config: fc.record({
    attrName: fc.constant('column'),
    object: fc.constant('table'),
    rootWord: fc.constantFrom(undefined, 'result'),
  }),
  parameters: fc.constantFrom({}, { root: '*' }, { root: '$' }),
  vendor: fc.constant({}),
  jsonText: fc.constantFrom(...PAYLOADS),
  decision: decision.map((one) => ({ response: [one] })),
});

test('what was decided before changes nothing, however alike the decisions are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(problem, { minLength: 2, maxLength: 12 }), async (problems) => {
      const shared = new Plans();
      const inOrder = await Promise.all(problems.map((one) => coreEnforce(one, shared)));
      const alone = await Promise.all(problems.map((one) => coreEnforce(one, new Plans())));
      expect(inOrder).toEqual(alone);
    }),
    { numRuns: 300 },
  );
});
