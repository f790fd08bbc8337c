import { afterEach, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { DryRunLog } from '../../src/enforcement/dry-run.ts';
import { enforcementProblem } from '../reference/generate.ts';
import { referenceEnforce } from '../reference/enforce.ts';
import { smallProblem } from '../reference/generate/small.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 4000);
const problems = fc.tuple(fc.oneof(enforcementProblem, smallProblem), fc.nat(3));

/** A rule about a property, for everybody. */
function rule(column: string, action: string, policies?: readonly object[]): object {
  return { resourceType: 'columns', attributes: { column: [column] }, actions: [{ action }], policies };
}

const PAYLOADS = [
  '{"id":7}',
  '[{"id":7},{"id":8}]',
  '{"p1":[{"id":7},{"id":8}],"p2":{"id":9}}',
  '{"id":1,"p1":{"id":7},"p2":[{"id":8,"p1":[{"id":9}]}]}',
  '[[{"id":7}],{"id":8},8,{}]',
];
const ROOTS = [{}, {}, { root: 'p*' }, { root: 'p1' }, { root: '#' }, { root: 'p2.#' }];
const POLICIES = [{ name: 'P', metadata: { DRY_RUN: 'id' } }];
const filters = fc.record({
  policies: fc.constantFrom(undefined, POLICIES, POLICIES),
  resourceType: fc.constant('columns'),
  actions: fc
    .constantFrom({ AND: [] }, { attribute: 'id', operator: 'EQUALS', values: ['7'] })
    .map((condition) => [{ action: 'FILTER', 'asset-attributes-filter': condition }]),
});
const rules = fc
  .tuple(
    fc.constantFrom('#', 'p1', 'p2', '*', '$', 'id', 'p1.#', 'p2.#.p1'),
    fc.constantFrom('MASK', 'remove()', 'remove()', 'x'),
    fc.constantFrom(undefined, POLICIES),
  )
  .map(([column, action, policies]) => rule(column, action, policies));
/** Few rules about few places, of which half are in dry run, and which remove records, roots and what is around them. */
const triedProblem = fc
  .record({
    jsonText: fc.constantFrom(...PAYLOADS),
    parameters: fc.constantFrom(...ROOTS),
    filterDefault: fc.constantFrom('allow', 'deny'),
    access: fc.array(rules, { maxLength: 3 }),
    allowed: fc.array(filters, { maxLength: 1 }),
    denied: fc.array(filters, { maxLength: 1 }),
  })
  .map(({ jsonText, parameters, filterDefault, access, ...privileges }) => ({
    config: { attrName: 'column', object: 'table', filter: true, filterDefault },
    parameters,
    vendor: { entityId: 'jane' },
    jsonText,
    decision: { response: [{ access, privileges }] },
  }));

afterEach(() => void jest.restoreAllMocks());

/** From now on, the log of dry runs is full after so many lines, long before it is for the service. */
function fillAfter(most: number): void {
  let lines = 0;
  // oxlint-disable-next-line unbound-method -- it is called on its own object
  const { skipped } = DryRunLog.prototype;
  jest.spyOn(DryRunLog.prototype, 'isOpen', 'get').mockImplementation(() => lines < most);
  jest.spyOn(DryRunLog.prototype, 'skipped').mockImplementation(function counted(this: DryRunLog, ...asked) {
    const logged = skipped.apply(this, asked);
    lines += logged;
    return logged;
  });
}

test('a payload of which no more dry runs are logged becomes what it becomes with all of them', async () => {
  let left = 0;
  await fc.assert(
    fc.asyncProperty(problems, async ([problem, most]) => {
      const all = await coreEnforce(problem);
      fillAfter(most);
      const few = await coreEnforce(problem);
      jest.restoreAllMocks();
      const { dryRun: lines, ...answer } = { dryRun: [], ...few };
      const { dryRun: allLines, ...expected } = { dryRun: [], ...all };
      left += allLines.length - lines.length;
      expect(answer).toEqual(expected);
      expect(allLines).toEqual(expect.arrayContaining([...lines]));
    }),
    { numRuns: RUNS },
  );
  expect(left).toBeGreaterThan(RUNS / 100);
});

test('what rules in dry run would have done is logged where other rules remove records and roots, too', async () => {
  let lines = 0;
  await fc.assert(
    fc.asyncProperty(triedProblem, async (problem) => {
      const expected = referenceEnforce(problem);
      if (expected.status === 200) lines += expected.dryRun.length;
      expect(comparable(await coreEnforce(problem))).toEqual(comparable(expected));
    }),
    { numRuns: RUNS },
  );
  expect(lines).toBeGreaterThan(RUNS / 10);
});

test.each([
  ['the payload', {}, '{"id":7}', '#', '{}', [7]],
  ['each root', { root: 'p*' }, '{"p1":{"id":7},"p2":{"id":8}}', '#', '{}', [7, 8]],
  ['one root', { root: 'p*' }, '{"p1":{"id":7},"p2":{"id":8}}', 'p1', '{"p2":{"id":8}}', [7]],
])(
  'a record that is removed has the lines of rules in dry run: %s',
  async (_, parameters, jsonText, column, text, ids) => {
    const problem = {
      config: { attrName: 'column', object: 'table', filter: false },
      parameters,
      vendor: { entityId: 'jane' },
      jsonText,
      decision: {
        response: [{ access: [rule(column, 'MASK', POLICIES), rule(column, 'remove()')], privileges: {} }],
      },
    };
    const dryRun = ids.map((id) => `Enforcement by Policy P on id ${id} was skipped for User jane`);
    expect(await coreEnforce(problem)).toEqual({ status: 200, text, dryRun });
  },
);
