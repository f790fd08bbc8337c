import process from 'node:process';
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import lodash from 'lodash';
import { parseConfiguration } from '../../src/config/load.ts';
import { ConfigurationError } from '../../src/yaml/problem.ts';
import type { Values } from './support/helm.ts';
import { dataOf, theOnly } from './support/manifest.ts';
import { oddConfiguration } from './support/odd-configuration.ts';
import { renderTogether, type Outcome } from './support/together.ts';
import { describeChart } from './support/tools.ts';

/** How often {@link TOGETHER} configurations are tried. More by hand: `RUNS=50 npx jest tests/chart/odd-configurations.test.ts`. */
const RUNS = Number(process.env['RUNS'] ?? 2);
const TOGETHER = 40;
/** The same in each usual run: what a search finds is for who searches, and must not stop a change that has nothing to do with it. */
const SEED = process.env['RUNS'] === undefined ? { seed: 1 } : {};

/** Room for any configuration. */
const ROOM: Values = {
  terminationGracePeriodSeconds: 4_000_000,
  resources: { limits: { cpu: null, memory: null } },
};

/** What only pods do not take. */
const OF_PODS =
  /must not be 0: |must not be a loopback address|leads back to the service itself|clientCertificates is require|each listener needs its own port|which Helm would write as a number|Helm's YAML takes for a line break|that YAML does not allow|names another file than/u;

interface Reading {
  /** Nothing if it is refused. */
  readonly configuration?: unknown;
  readonly problems: readonly string[];
}

function readByService(text: string): Reading {
  try {
    return { configuration: parseConfiguration(text, { file: '/etc/config.yaml' }), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { problems: error.problems.map(({ key, message }) => `${key} ${message}`) };
  }
}

/** What the chart and the service make of a configuration, if it is not the same. */
function disagreement(config: Values, { manifests, problems }: Outcome): string | undefined {
  const own = readByService(JSON.stringify(config));
  if (problems.length > 0) {
    const isOfPods = problems.some((problem) => OF_PODS.test(problem));
    return own.problems.length > 0 || isOfPods ? undefined : `The service takes it: ${problems.join('; ')}`;
  }
  if (own.problems.length > 0) return `The service refuses it: ${own.problems.join('; ')}`;
  const installed = readByService(dataOf(theOnly(manifests, 'ConfigMap'), 'config.yaml'));
  if (lodash.isEqual(installed, own)) return undefined;
  return `The installed service reads it as ${JSON.stringify(installed)}`;
}

describeChart('Configurations with any value of some keys', () => {
  it('are taken by the chart if the service takes them, and are installed as they are', () => {
    let taken = 0;
    let refused = 0;
    const property = fc.property(
      fc.array(oddConfiguration, { minLength: TOGETHER, maxLength: TOGETHER }),
      (configurations) => {
        const outcomes = renderTogether(configurations.map((config) => ({ ...ROOM, config })));
        const found = lodash.zip(configurations, outcomes).flatMap(([config = {}, outcome]) => {
          const words = outcome && disagreement(config, outcome);
          return words === undefined ? [] : [`${words}: ${JSON.stringify(config)}`];
        });
        taken += outcomes.filter(({ problems }) => problems.length === 0).length;
        refused += outcomes.filter(({ problems }) => problems.length > 0).length;
        expect(found).toEqual([]);
      },
    );
    fc.assert(property, { numRuns: RUNS, endOnFailure: true, ...SEED });
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });
});
