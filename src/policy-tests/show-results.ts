import type { Explanation } from '../core/index.ts';
import { explanationLines, wholeDiff } from '../places/command-line/index.ts';
import type { CoverageReport } from './coverage.ts';
import type { TestResult } from './run-test.ts';

/** More differing places than these, and more lines about them, are not shown. */
const MAX_EXPLAINED = 50;
const MAX_LINES = 500;

/** The lines about one test. */
export function resultLines(result: TestResult): readonly string[] {
  const { test, failure } = result;
  if (failure === undefined) return [`  ok    ${test.name}`];
  return [
    `  FAIL  ${test.name} (line ${test.line})`,
    ...failureLines(result).map((line) => `        ${line}`.trimEnd()),
  ];
}

/** How a test failed, the first line in short: what is expected, what is answered, and why. */
export function failureLines({ failure, explanation }: TestResult): readonly string[] {
  if (failure === undefined) return [];
  const { summary, payloads } = failure;
  if (payloads === undefined) return [summary];
  return [
    `${summary}: - expected, + answered`,
    ...wholeDiff(payloads.expected, payloads.actual),
    ...(explanation === undefined ? [] : reasonLines(explanation, payloads.places)),
  ];
}

/** Why each differing place is what it is, as the command `explain` says it. */
function reasonLines(explanation: Explanation, places: readonly string[]): readonly string[] {
  const lines = places.slice(0, MAX_EXPLAINED).flatMap((place) => explanationLines(explanation, place));
  const isAll = places.length <= MAX_EXPLAINED && lines.length <= MAX_LINES;
  return ['Why:', ...lines.slice(0, MAX_LINES), ...(isAll ? [] : ['… and more'])];
}

/** The lines about coverage. */
export function coverageLines({ percent, policies, conditions, gaps }: CoverageReport): readonly string[] {
  const applied = `${policies.covered} of ${policies.all} policies applied`;
  const both = `${conditions.covered} of ${conditions.all} conditions both true and false`;
  return [`Coverage: ${percent} % (${applied}, ${both})`, ...gaps.map((gap) => `  ${gap}`)];
}
