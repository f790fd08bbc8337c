import { afterEach, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Masking } from '../../src/core/mask.ts';
import { enforcementProblem } from '../reference/generate.ts';
import { coreExplain } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 500);
const EVERYTHING = { maxExplained: 1e6, maxBytes: 1e9 };

afterEach(() => void jest.restoreAllMocks());

/** From now on, each step is as small as it can be. @returns a count of the steps */
function takeSmallSteps(): { count: number } {
  const steps = { count: 0 };
  // oxlint-disable-next-line unbound-method -- it is called on its own object
  const { advance } = Masking.prototype;
  jest.spyOn(Masking.prototype, 'advance').mockImplementation(function smallStep(this: Masking) {
    steps.count++;
    return advance.call(this, 1);
  });
  return steps;
}

test('a payload that is masked root by root and record by record becomes what it becomes at once', async () => {
  let most = 0;
  await fc.assert(
    fc.asyncProperty(enforcementProblem, async (problem) => {
      const { explained, ...atOnce } = await coreExplain(problem, EVERYTHING);
      const steps = takeSmallSteps();
      const { explained: explainedInSteps, ...inSteps } = await coreExplain(problem, EVERYTHING);
      jest.restoreAllMocks();
      most = Math.max(most, steps.count);
      expect(inSteps).toEqual(atOnce);
      expect({ ...explainedInSteps, timings: 0 }).toEqual({ ...explained, timings: 0 });
    }),
    { numRuns: RUNS },
  );
  expect(most).toBeGreaterThan(5);
}, 120_000);
