import type { Explanation } from '../core/index.ts';
import { wholeDiff } from '../places/command-line/index.ts';
import type { CoverageReport } from './coverage.ts';
import type { TestResult } from './run-test.ts';

/** More differing places than these are not explained one by one. */
const MAX_EXPLAINED = 50;

/** The lines about one test. */
export function resultLines(result: TestResult): readonly string[] {
  const { test, failure } = result;
  if (failure === undefined) return [`  ok    ${test.name}`];
  return [
    `  FAIL  ${test.name} (line ${test.line})`,
    ...failureLines(result).map((line) => `        ${line}`.trimEnd()),
  ];
}

/** How a test failed: what is expected, what is answered, and why. */
export function failureLines({ failure, explanation }: TestResult): readonly string[] {
  if (failure === undefined) return [];
  const { summary, payloads } = failure;
  if (payloads === undefined) return [summary];
  return [
    `${summary}: - expected, + answered`,
    ...wholeDiff(payloads.expected, payloads.actual),
    ...(explanation === undefined ? [] : reasonLines(explanation)),
  ];
}

/** What each rule did, and which rules were there and did not count. */
function reasonLines({ rules, changes, records }: Explanation): readonly string[] {
  const nameOf = (rule: number): string => `"${rules[rule]?.policy ?? ''}" (${rules[rule]?.action ?? ''})`;
  const reasons = [
    ...records
      .filter(({ kept }) => !kept)
      .map(({ pointer, because }) => {
        const deciders = because.map(
          ({ rule, holds }) => `${nameOf(rule)} ${holds ? 'holds' : 'does not hold'}`,
        );
        return `${pointer || '/'}: removed; ${deciders.join(', ') || 'no policy lets it stay'}`;
      }),
    ...changes.map(({ pointer, effect, rule, lost }) => {
      const winner = rule === undefined ? '' : ` by ${nameOf(rule)}`;
      const losers = lost.map((one) => `; not by ${nameOf(one.rule)}: ${REASONS[one.because]}`);
      return `${pointer || '/'}: ${effect}${winner}${losers.join('')}`;
    }),
  ];
  if (reasons.length === 0) return ['No policy concerns this payload.'];
  const more = reasons.length - MAX_EXPLAINED;
  return ['Why:', ...reasons.slice(0, MAX_EXPLAINED), ...(more > 0 ? [`and ${more} more places`] : [])];
}

const REASONS = {
  priority: 'another one comes first',
  condition: 'its condition does not hold',
  dryRun: 'it is in dry run',
} as const;

/** The lines about coverage. */
export function coverageLines({ percent, policies, conditions, gaps }: CoverageReport): readonly string[] {
  const applied = `${policies.covered} of ${policies.all} policies applied`;
  const both = `${conditions.covered} of ${conditions.all} conditions both true and false`;
  return [`Coverage: ${percent} % (${applied}, ${both})`, ...gaps.map((gap) => `  ${gap}`)];
}
