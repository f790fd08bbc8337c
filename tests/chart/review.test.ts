import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parse } from 'yaml';
import * as z from 'zod';
import { checkovFindings, kubeScoreFindings, renderedForReview, type Finding } from './review/findings.ts';
import { neededTool } from '../support/tools.ts';
import { violations } from './support/kubeconform.ts';
import { describeChart } from './support/tools.ts';

const answer = z.object({ finding: z.string(), where: z.string(), why: z.string().min(20) });
const answers = z
  .object({ 'kube-score': z.array(answer), checkov: z.array(answer) })
  .parse(parse(readFileSync('tests/chart/review/answers.yaml', 'utf8')));

type Answer = z.output<typeof answer>;

function isAnsweredBy({ finding, resource }: Finding, one: Answer): boolean {
  return finding.startsWith(one.finding) && new RegExp(one.where, 'u').test(resource);
}

function unanswered(findings: readonly Finding[], given: readonly Answer[]): readonly Finding[] {
  const open = findings.filter((finding) => !given.some((one) => isAnsweredBy(finding, one)));
  return lodash.uniqBy(open, ({ finding, resource }) => `${finding} ${resource}`);
}

function unused(findings: readonly Finding[], given: readonly Answer[]): readonly string[] {
  const idle = given.filter((one) => !findings.some((finding) => isAnsweredBy(finding, one)));
  return idle.map(({ finding }) => finding);
}

/** Tests that need one more tool. */
function describeReview(tool: 'kube-score' | 'checkov', tests: (program: string) => void): void {
  const { describe: describeTool, program } = neededTool(tool);
  describeTool(`by ${tool}`, () => tests(program));
}

describeChart('The review of what the charts render with the files in ci/', () => {
  it('finds nothing that Kubernetes would refuse', () => {
    expect(violations(renderedForReview(), '1.37.1')).toBe('');
  });

  describeReview('kube-score', (program) => {
    it('has no finding without an answer, and no answer without a finding', () => {
      const findings = Object.values(renderedForReview()).flatMap((text) => kubeScoreFindings(program, text));
      expect(unanswered(findings, answers['kube-score'])).toEqual([]);
      expect(unused(findings, answers['kube-score'])).toEqual([]);
    });
  });

  describeReview('checkov', (program) => {
    it('has no finding without an answer, and no answer without a finding', () => {
      const findings = checkovFindings(program, renderedForReview());
      expect(unanswered(findings, answers.checkov)).toEqual([]);
      expect(unused(findings, answers.checkov)).toEqual([]);
    });
  });
});
