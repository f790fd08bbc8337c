import { afterEach, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { DryRunLog } from '../../src/enforcement/dry-run.ts';
import { enforcementProblem } from '../reference/generate.ts';
import { smallProblem } from '../reference/generate/small.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 4000);
const problems = fc.tuple(fc.oneof(enforcementProblem, smallProblem), fc.nat(3));

afterEach(() => void jest.restoreAllMocks());

/** A rule about a property, for everybody. */
function rule(column: string, action: string): object {
  return { resourceType: 'columns', attributes: { column: [column] }, actions: [{ action }] };
}

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

test.each([
  ['the payload', {}, '{"id":7}', '#', '{}', [7]],
  ['each root', { root: 'p*' }, '{"p1":{"id":7},"p2":{"id":8}}', '#', '{}', [7, 8]],
  ['one root', { root: 'p*' }, '{"p1":{"id":7},"p2":{"id":8}}', 'p1', '{"p2":{"id":8}}', [7]],
])(
  'a record that is removed has the lines of rules in dry run: %s',
  async (_, parameters, jsonText, column, text, ids) => {
    const tried = { ...rule(column, 'MASK'), policies: [{ name: 'P', metadata: { DRY_RUN: 'id' } }] };
    const problem = {
      config: { attrName: 'column', object: 'table', filter: false },
      parameters,
      vendor: { entityId: 'jane' },
      jsonText,
      decision: { response: [{ access: [tried, rule(column, 'remove()')], privileges: {} }] },
    };
    const dryRun = ids.map((id) => `Enforcement by Policy P on id ${id} was skipped for User jane`);
    expect(await coreEnforce(problem)).toEqual({ status: 200, text, dryRun });
  },
);
