import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce, type EnforcementProblem } from '../reference/enforce.ts';
import { enforcementProblem } from '../reference/generate.ts';
import { smallProblem } from '../reference/generate/small.ts';
import { comparable } from './comparable.ts';
import { alikeTo } from '../reference/generate/alike.ts';
import { coreEnforce } from './core.ts';

/** More, and others, by hand: `RUNS=100000 SEED=7 npx jest tests/core/reference`. */
const RUNS = Number(process.env['RUNS'] ?? 1000);
const SEED = Number(process.env['SEED'] ?? 5);

/** What the reference answers, and what the core answers. */
async function answersTo(problem: EnforcementProblem) {
  const expected = referenceEnforce(problem);
  const answer = await coreEnforce(problem);
  return { expected: comparable(expected), answer: comparable(answer) };
}

test('the core answers what the naive reference answers, whatever the payload and the decision', async () => {
  await fc.assert(
    fc.asyncProperty(enforcementProblem, async (problem) => {
      const { expected, answer } = await answersTo(problem);
      expect(answer).toEqual(expected);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

test('the core answers what the naive reference answers where few names mean many things', async () => {
  await fc.assert(
    fc.asyncProperty(smallProblem, async (problem) => {
      const { expected, answer } = await answersTo(problem);
      expect(answer).toEqual(expected);
    }),
    { numRuns: RUNS * 4, seed: SEED },
  );
});

test('a decision that differs little from the one before is enforced as if it were the first', async () => {
  const twoAlike = enforcementProblem.chain((problem) =>
    alikeTo(problem.decision).map(
      (decision) => [problem, { ...problem, decision, decisionText: undefined }] as const,
    ),
  );
  await fc.assert(
    fc.asyncProperty(twoAlike, async ([problem, alike]) => {
      await coreEnforce(problem);
      const { expected, answer } = await answersTo(alike);
      expect(answer).toEqual(expected);
    }),
    { numRuns: Math.ceil(RUNS / 2), seed: SEED },
  );
});
