import { expect, it } from '@jest/globals';
import type * as fc from 'fast-check';
import lodash from 'lodash';
import { parse } from 'yaml';
import { parseConfiguration } from '../../src/config/load.ts';
import { ConfigurationError } from '../../src/yaml/problem.ts';
import type { ChartName, Values } from './support/helm.ts';
import { rulesBrokenBy } from './support/kubernetes-rules.ts';
import { dataOf, podOf, type Manifest } from './support/manifest.ts';
import { oddAgent, oddMicroservice } from './support/odd-umbrella.ts';
import { search } from './support/search.ts';
import type { Outcome } from './support/together.ts';
import { describeChart } from './support/tools.ts';

/** What the service says of a configuration that is installed. */
function refusedByService(text: string): readonly string[] {
  try {
    parseConfiguration(text, { file: '/etc/config.yaml' });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(({ key, message }) => `The service refuses ${key}: it ${message}`);
  }
}

/** The configurations that services get: of ConfigMaps, and of the pod of `helm test`. */
function configurationsIn(manifest: Manifest): readonly string[] {
  const isOfOpa = manifest.metadata.labels?.['app.kubernetes.io/component'] === 'pdp';
  const hasOne = manifest.kind === 'ConfigMap' && lodash.has(manifest, ['data', 'config.yaml']);
  const env = podOf(manifest)?.containers.flatMap((one) => one.env) ?? [];
  return [
    ...(hasOne && !isOfOpa ? [dataOf(manifest, 'config.yaml')] : []),
    // Kubernetes reads two dollar signs as one.
    ...env.filter(({ name }) => name === 'CONFIG').map(({ value = '' }) => value.replaceAll('$$', '$')),
  ];
}

/** What OPA gets in another way than it is given. */
function differencesOfOpa(values: Values, manifests: readonly Manifest[]): readonly string[] {
  if (lodash.get(values, 'global.policyAgent.pdp.protocol') !== 'opa') return [];
  const { config, policies } = Object(lodash.get(values, 'pdp.opa'));
  const ofPdp = manifests.filter(
    ({ kind, metadata }) =>
      kind === 'ConfigMap' && metadata.labels?.['app.kubernetes.io/component'] === 'pdp',
  );
  return ofPdp.flatMap(({ metadata: { name }, ...map }) => {
    if (name.endsWith('-authz')) return [];
    const isSame = name.endsWith('-config')
      ? lodash.isEqual(parse(String(lodash.get(map, ['data', 'config.yaml']))), config)
      : lodash.isEqual(map['data'], policies);
    return isSame ? [] : [`OPA gets something else in ${name}`];
  });
}

/** What is wrong with what is installed. */
function wrongIn(values: Values, { manifests }: Outcome): readonly string[] {
  return [
    ...manifests.flatMap(rulesBrokenBy),
    ...manifests.flatMap(configurationsIn).flatMap(refusedByService),
    ...differencesOfOpa(values, manifests),
  ];
}

describeChart('Any value, of the right type or not', () => {
  it.each<[ChartName, fc.Arbitrary<Values>]>([
    ['policy-agent', oddAgent],
    ['example-microservice', oddMicroservice],
  ])('of %s is refused, or installed as Kubernetes and the service take it', (chart, generated) => {
    const trials = { generated, chart, valuesOf: (values: Values) => values, together: 8, runs: 1 };
    const { wrong, taken, refused } = search(trials, wrongIn);
    expect(wrong).toEqual([]);
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });
});
