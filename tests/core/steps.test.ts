import { afterEach, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { scan } from '../../src/core/json/scan.ts';
import { Masking } from '../../src/core/mask.ts';
import { Pace } from '../../src/core/walk/pace.ts';
import { enforcementProblem } from '../reference/generate.ts';
import { smallProblem } from '../reference/generate/small.ts';
import { coreEnforce, coreExplain } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 500);
const EVERYTHING = { maxExplained: 1e6, maxBytes: 1e9 };
const problemInSteps = fc.tuple(
  fc.oneof(enforcementProblem, smallProblem),
  fc.constantFrom(1, 1, 2, 3, 5, 8),
);

afterEach(() => void jest.restoreAllMocks());

/** Between two steps, the service may read tokens and answers of the PDP: their names take the numbers of others. */
function readAnother(step: number): void {
  const many = Array.from({ length: NAMES }, (_, index) => `"${step}-${index}":0`);
  scan(Buffer.from(`{${many.join(',')}}`), 2);
}

/** More than the scanner knows at once. */
const NAMES = 600;

/**
 * From now on, what was masked at once is masked in small steps.
 *
 * @param values how many are looked at in a step
 * @returns a count of the steps
 */
function takeSmallSteps(values: number): { count: number } {
  const steps = { count: 0 };
  let seen = 0;
  jest.spyOn(Pace.prototype, 'spend').mockImplementation(function spend(this: Pace) {
    if (++seen % values === 0) this.isOver = true;
  });
  // oxlint-disable-next-line unbound-method -- it is called on its own object
  const { advance } = Masking.prototype;
  jest.spyOn(Masking.prototype, 'advance').mockImplementation(function inSteps(this: Masking) {
    do {
      steps.count++;
      if (steps.count % 4 === 1) readAnother(steps.count);
    } while (!advance.call(this));
    return true;
  });
  return steps;
}

test('a payload that is masked value by value becomes what it becomes at once', async () => {
  let most = 0;
  await fc.assert(
    fc.asyncProperty(problemInSteps, async ([problem, values]) => {
      const atOnce = await coreEnforce(problem);
      const steps = takeSmallSteps(values);
      const inSteps = await coreEnforce(problem);
      jest.restoreAllMocks();
      most = Math.max(most, steps.count);
      expect(inSteps).toEqual(atOnce);
    }),
    { numRuns: RUNS * 4 },
  );
  expect(most).toBeGreaterThan(20);
});

test('a payload that is masked value by value is explained as if it were masked at once', async () => {
  let most = 0;
  await fc.assert(
    fc.asyncProperty(problemInSteps, async ([problem, values]) => {
      const { explained, ...atOnce } = await coreExplain(problem, EVERYTHING);
      const steps = takeSmallSteps(values);
      const { explained: explainedInSteps, ...inSteps } = await coreExplain(problem, EVERYTHING);
      jest.restoreAllMocks();
      most = Math.max(most, steps.count);
      expect(inSteps).toEqual(atOnce);
      expect({ ...explainedInSteps, timings: 0 }).toEqual({ ...explained, timings: 0 });
    }),
    { numRuns: RUNS },
  );
  expect(most).toBeGreaterThan(20);
});

function names(prefix: string): readonly string[] {
  return Array.from({ length: 20 }, (_, index) => `${prefix}${index}`);
}

test.each([
  ['a record', '[{"ssn":1}]'],
  ['an empty record', '[{}]'],
  ['a property that is null', '[{"ssn":1,"t0":null}]'],
])('what may be created in %s is found out in steps', async (_name, jsonText) => {
  const AND = [
    { attribute: 'table', operator: 'IN', values: names('t') },
    { attribute: 'column', operator: 'IN', values: names('c') },
    { attribute: 'column', operator: 'NOT_EQUALS', values: ['c7'] },
  ];
  const allowed = [
    { resourceType: 'columns', actions: [{ action: 'x', 'asset-attributes-filter': { AND } }] },
  ];
  const problem = {
    config: { attrName: 'column', object: 'table', filter: false },
    parameters: {},
    vendor: { entityId: 'jane' },
    jsonText,
    decision: { response: [{ access: [], privileges: { allowed, denied: [] } }] },
  };
  const atOnce = await coreEnforce(problem);
  expect(JSON.stringify(atOnce).match(/c1\b/gu)).toHaveLength(20);
  const steps = takeSmallSteps(1);
  expect(await coreEnforce(problem)).toEqual(atOnce);
  expect(steps.count).toBeGreaterThan(400);
});

test('what is in lists in lists counts once towards a step, however deep they are', async () => {
  const depth = 300;
  const list = `${'['.repeat(depth)}{"ssn":1}${']'.repeat(depth)}`;
  const jsonText = `[${Array.from({ length: 20 }, () => list).join(',')}]`;
  const AND = [
    { attribute: 'column', operator: 'EQUALS', values: ['$..[0]'] },
    { attribute: 'ssn', operator: 'EQUALS', values: ['2'] },
  ];
  const allowed = [
    { resourceType: 'columns', actions: [{ action: 'MASK', 'asset-attributes-filter': { AND } }] },
  ];
  const spend = jest.spyOn(Pace.prototype, 'spend');
  await coreEnforce({
    config: { attrName: 'column', object: 'table', filter: false },
    parameters: {},
    vendor: { entityId: 'jane' },
    jsonText,
    decision: { response: [{ access: [], privileges: { allowed, denied: [] } }] },
  });
  const words = spend.mock.calls.reduce((sum, [spent]) => sum + spent, 0);
  expect(words).toBeGreaterThan(jsonText.length);
  expect(words).toBeLessThan(jsonText.length * 20);
});
