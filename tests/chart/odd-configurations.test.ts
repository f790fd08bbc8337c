import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parseConfiguration } from '../../src/config/load.ts';
import { ConfigurationError } from '../../src/yaml/problem.ts';
import type { Values } from './support/helm.ts';
import { dataOf, theOnly } from './support/manifest.ts';
import { oddConfiguration } from './support/odd-configuration.ts';
import { search } from './support/search.ts';
import type { Outcome } from './support/together.ts';
import { describeChart } from './support/tools.ts';

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
function disagreements(config: Values, { manifests, problems }: Outcome): readonly string[] {
  const own = readByService(JSON.stringify(config));
  if (problems.length > 0) {
    const isOfPods = problems.some((problem) => OF_PODS.test(problem));
    return own.problems.length > 0 || isOfPods ? [] : [`The service takes it: ${problems.join('; ')}`];
  }
  if (own.problems.length > 0) return [`The service refuses it: ${own.problems.join('; ')}`];
  const installed = readByService(dataOf(theOnly(manifests, 'ConfigMap'), 'config.yaml'));
  if (lodash.isEqual(installed, own)) return [];
  return [`The installed service reads it as ${JSON.stringify(installed)}`];
}

describeChart('Configurations with any value of some keys', () => {
  it('are taken by the chart if the service takes them, and are installed as they are', () => {
    const trials = {
      generated: oddConfiguration,
      chart: 'authz-jsonmasking',
      valuesOf: (config: Values) => ({ ...ROOM, config }),
      together: 40,
      runs: 2,
    } as const;
    const { wrong, taken, refused } = search(trials, disagreements);
    expect(wrong).toEqual([]);
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });
});
