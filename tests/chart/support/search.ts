import process from 'node:process';
import * as fc from 'fast-check';
import lodash from 'lodash';
import type { ChartName, Values } from './helm.ts';
import { violations } from './kubeconform.ts';
import { renderTogether, type Outcome } from './together.ts';

/** Random values, and what they are values of. */
export interface Trials<T> {
  readonly generated: fc.Arbitrary<T>;
  readonly chart: ChartName;
  /** The values of the chart. */
  readonly valuesOf: (one: T) => Values;
  /** How many are rendered in one run of Helm. */
  readonly together: number;
  /** How many such runs there are, unless `RUNS` says so: `RUNS=50 npx jest tests/chart/odd-values`. */
  readonly runs: number;
}

/** What a chart made of them. */
export interface Found {
  /** What is wrong, with the values. */
  readonly wrong: readonly string[];
  readonly taken: number;
  readonly refused: number;
}

const { RUNS } = process.env;
/** The same in each usual run: what a search finds is for who searches, and must not stop a change that has nothing to do with it. */
const SEED = RUNS === undefined ? { seed: 1 } : {};

/**
 * Renders random values.
 *
 * @param wrongIn what is wrong with what becomes of some
 */
export function search<T>(
  { generated, chart, valuesOf, together, runs }: Trials<T>,
  wrongIn: (one: T, outcome: Outcome) => readonly string[],
): Found {
  const all = fc.sample(generated, { numRuns: together * Number(RUNS ?? runs), ...SEED });
  const outcomes = lodash.chunk(all, together).flatMap((some) => renderTogether(some.map(valuesOf), chart));
  const wrong = all.flatMap((one, index) =>
    outcomes
      .slice(index, index + 1)
      .flatMap((outcome) => wrongIn(one, outcome))
      .map((words) => `${words}: ${JSON.stringify(one)}`),
  );
  const [refused, taken] = lodash.partition(outcomes, ({ problems }) => problems.length > 0);
  return {
    wrong: [...wrong, ...againstSchemas(all, outcomes)],
    taken: taken.length,
    refused: refused.length,
  };
}

/** A member without a value, which Kubernetes takes like none. */
function withoutNull(_: string, value: unknown): unknown {
  return value ?? undefined;
}

/** What the schemas of Kubernetes have against what is rendered, all of it at once. */
function againstSchemas(all: readonly unknown[], outcomes: readonly Outcome[]): readonly string[] {
  const texts = outcomes.map(({ manifests }) =>
    manifests.map((one) => JSON.stringify(one, withoutNull)).join('\n---\n'),
  );
  const named = Object.fromEntries(texts.map((text, index) => [JSON.stringify(index), text]));
  const words = violations(named, '1.37.1').replaceAll(/\S*\/(\d+)\.yaml/gu, (_, index: string) =>
    JSON.stringify(all[Number(index)]),
  );
  return words === '' ? [] : [words];
}
