import process from 'node:process';
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import lodash from 'lodash';
import { parse } from 'yaml';
import { parseConfiguration } from '../../src/config/load.ts';
import { ConfigurationError } from '../../src/yaml/problem.ts';
import type { ChartName, Values } from './support/helm.ts';
import { violations } from './support/kubeconform.ts';
import { rulesBrokenBy } from './support/kubernetes-rules.ts';
import { dataOf, podOf, type Manifest } from './support/manifest.ts';
import { oddAgent, oddMicroservice } from './support/odd-umbrella.ts';
import { renderTogether, type Outcome } from './support/together.ts';
import { describeChart } from './support/tools.ts';

/** How often {@link TOGETHER} values are tried. More by hand: `RUNS=50 npx jest tests/chart/odd-umbrella.test.ts`. */
const RUNS = Number(process.env['RUNS'] ?? 1);
const TOGETHER = 8;
/** The same in each usual run: what a search finds is for who searches, and must not stop a change that has nothing to do with it. */
const SEED = process.env['RUNS'] === undefined ? { seed: 1 } : {};

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
  ])('of %s is refused, or installed as Kubernetes and the service take it', (chart, oddValues) => {
    let taken = 0;
    let refused = 0;
    const property = fc.property(fc.array(oddValues, { minLength: TOGETHER, maxLength: TOGETHER }), (all) => {
      const outcomes = renderTogether(all, chart);
      const found = lodash
        .zip(all, outcomes)
        .flatMap(([values = {}, outcome]) =>
          (outcome ? wrongIn(values, outcome) : []).map((words) => `${words}: ${JSON.stringify(values)}`),
        );
      taken += outcomes.filter(({ problems }) => problems.length === 0).length;
      refused += outcomes.filter(({ problems }) => problems.length > 0).length;
      expect(found).toEqual([]);
      const texts = outcomes.map(({ manifests }) =>
        manifests.map((one) => JSON.stringify(one)).join('\n---\n'),
      );
      const named = Object.fromEntries(texts.map((text, index) => [JSON.stringify(index), text]));
      expect(violations(named, '1.37.1')).toBe('');
    });
    fc.assert(property, { numRuns: RUNS, endOnFailure: true, ...SEED });
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });
});
