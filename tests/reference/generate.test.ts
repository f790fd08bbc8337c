import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from './enforce.ts';
import { ACTIONS } from '../../src/core/actions/registry.ts';
import { enforcementProblem } from './generate.ts';
import { GENERATED_ACTIONS } from './generate/decision.ts';
import { compact } from './print.ts';

describe('generated enforcement problems', () => {
  test.each(ACTIONS.flatMap(({ names }) => names))('have the action %s', (name) => {
    const texts = GENERATED_ACTIONS.map((text) => text.trim().toLowerCase());
    expect(texts.some((text) => text.startsWith(name))).toBe(true);
  });

  test('have an answer, and a payload in it is JSON', () => {
    fc.assert(
      fc.property(enforcementProblem, (problem) => {
        const answer = referenceEnforce(problem);
        expect([200, 400, 422, 502]).toContain(answer.status);
        fc.pre(answer.status === 200);
        expect(compact(answer.text)).toBe(answer.text);
      }),
    );
  });

  test('leave the payload as it is when the decision has no rules', () => {
    fc.assert(
      fc.property(enforcementProblem, (problem) => {
        const config = { ...problem.config, filterDefault: 'allow' as const };
        const answer = referenceEnforce({ ...problem, config, decision: { response: [] } });
        fc.pre(answer.status === 200);
        expect(answer).toEqual({ status: 200, text: compact(problem.jsonText), dryRun: [] });
      }),
    );
  });

  test('have payloads that JSON.parse reads as the reference does', () => {
    fc.assert(
      fc.property(enforcementProblem, ({ jsonText }) => {
        expect(JSON.parse(compact(jsonText))).toEqual(JSON.parse(jsonText));
      }),
    );
  });

  test('have decisions that hit: most change the payload, many would change it in dry run', () => {
    const problems = fc.sample(enforcementProblem, { numRuns: 400, seed: 7 });
    const answers = problems.map((problem) => ({ problem, answer: referenceEnforce(problem) }));
    const changed = answers.filter(({ problem, answer }) => {
      return answer.status === 200 && answer.text !== compact(problem.jsonText);
    });
    const skipped = answers.filter(({ answer }) => answer.status === 200 && answer.dryRun.length > 0);
    const refused = answers.filter(({ answer }) => answer.status !== 200);
    expect(changed.length).toBeGreaterThan(200);
    expect(skipped.length).toBeGreaterThan(60);
    expect(refused.length).toBeGreaterThan(10);
  });
});
