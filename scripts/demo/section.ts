import { compare } from './comparison.ts';
import type { Enforcement, Enforcer } from './enforcement.ts';
import { excerpt } from './excerpt.ts';
import { DemoFailure } from './failure.ts';
import { outline } from './outline.ts';
import { faint, heading, table, wrapped } from './page.ts';
import { mapperLines, policyLines } from './policies.ts';
import type { Scenario } from './scenarios.ts';
import { USERS } from './users.ts';

/**
 * Runs a scenario for every user and lays it out.
 *
 * @param number how it is numbered, such as `1 of 9`
 * @returns the lines to print
 * @throws DemoFailure if the service refuses, or does not do what the scenario shows
 */
export async function section(
  scenario: Scenario,
  number: string,
  enforcer: Pick<Enforcer, 'enforce'>,
): Promise<readonly string[]> {
  const answers = await Promise.all(USERS.map((user) => enforcer.enforce(scenario.sample, user)));
  const rows = rowsOf(scenario, answers);
  const log = answers.flatMap(({ dryRuns }) => dryRuns).filter((line) => mentions(line, scenario));
  const seen =
    scenario.shows === 'log'
      ? log.length > 0
      : rows.some(({ after }) => after.some(({ mark }) => mark !== ' '));
  if (!seen)
    throw new DemoFailure(
      `"${scenario.title}" has nothing to show: the service did not do what the policy says.`,
    );
  return [
    heading(`${number}  ${scenario.title}`),
    ...wrapped(scenario.policy),
    ...(scenario.note === undefined ? [] : wrapped(scenario.note)),
    '',
    faint('examples/policies/demo.yaml:'),
    ...yamlOf(scenario).map((line) => `  ${line}`),
    '',
    ...table(['The payload', ...USERS.map(({ title }) => title)], rows),
    '',
    ...(scenario.shows === 'log' ? [faint('the log:'), ...log.flatMap((line) => wrapped(line)), ''] : []),
  ];
}

function yamlOf({ policies, mapper, sample }: Scenario): readonly string[] {
  const assetType = sample.parameters['assetType'] ?? 'columns';
  return [...policyLines(policies), ...(mapper === undefined ? [] : mapperLines(assetType, mapper))];
}

function rowsOf(scenario: Scenario, answers: readonly Enforcement[]): ReturnType<typeof compare> {
  const lines = (payload: Enforcement['before']) => outline(excerpt(payload, scenario));
  const [before = []] = answers.map((answer) => lines(answer.before));
  return compare(
    before,
    answers.map(({ after }) => lines(after)),
  );
}

function mentions(line: string, { records }: Scenario): boolean {
  return records.some((id) => line.includes(` ${id} was skipped`));
}
