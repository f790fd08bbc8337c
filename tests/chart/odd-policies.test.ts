import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parsePolicyText } from '../../src/pdp/protocols/embedded/index.ts';
import { ConfigurationError } from '../../src/yaml/problem.ts';
import type { ChartName, Values } from './support/helm.ts';
import { policiesIn, theOnly } from './support/manifest.ts';
import { oddPolicies } from './support/odd-policies.ts';
import { search } from './support/search.ts';
import type { Outcome } from './support/together.ts';
import { describeChart } from './support/tools.ts';

/** What the chart refuses because of Helm, or of where the policies are: numbers and flags may be words that Helm read. */
const OF_HELM =
  /got (?:number|boolean), want |false schema|clientSecret must not be in a ConfigMap|Helm's YAML takes for a line break|that YAML does not allow/u;
/** What the chart does not see (`docs/kubernetes.md`). */
const UNSEEN =
  /^(?:tests|scopes\[\d+\]\.jwt\.jwks)|has no path for |must be a date|cannot be read \(it must be (?:value\(<json>\)|round\(n\)|first\(N\))/u;

interface Reading {
  /** Nothing if they are refused. */
  readonly policies?: unknown;
  readonly problems: readonly string[];
}

function readByService(text: string): Reading {
  try {
    return { policies: parsePolicyText(text, 'policies.yaml'), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // In the order of the lines.
    return { problems: error.problems.map(({ key, message }) => `${key} ${message}`).toSorted() };
  }
}

/** The policies as a file of their own, in which a byte order mark is an escape, and the keys are in order, as Helm writes them. */
function fileOf(policies: Values): string {
  return JSON.stringify(policies, withSortedKeys).replaceAll('\uFEFF', String.raw`\ufeff`);
}

function withSortedKeys(_: string, value: unknown): unknown {
  return lodash.isPlainObject(value)
    ? Object.fromEntries(lodash.sortBy(Object.entries(Object(value)), '0'))
    : value;
}

/** Key sets are functions. */
function isSame(one: Reading, other: Reading): boolean {
  return lodash.isEqualWith(one, other, (value: unknown) => (lodash.isFunction(value) ? true : undefined));
}

/** What the chart and the service make of policies, if it is not the same. */
function disagreements(policies: Values, { manifests, problems }: Outcome): readonly string[] {
  const own = readByService(fileOf(policies));
  if (problems.length > 0) {
    const isOfHelm = problems.some((problem) => OF_HELM.test(problem));
    return own.problems.length > 0 || isOfHelm ? [] : [`The service takes them: ${problems.join('; ')}`];
  }
  const seen = own.problems.filter((problem) => !UNSEEN.test(problem));
  if (seen.length > 0) return [`The service refuses them: ${seen.join('; ')}`];
  const installed = readByService(policiesIn(theOnly(manifests, 'ConfigMap')));
  if (isSame(installed, own)) return [];
  return [
    `The installed service reads them as ${JSON.stringify(installed)} instead of ${JSON.stringify(own)}`,
  ];
}

describeChart('Policies with any value of some keys', () => {
  it.each<[ChartName, (policies: Values) => Values]>([
    // The configuration in it may name any keys for hashes.
    ['authz-jsonmasking', (policies) => ({ config: { port: 5002 }, existingConfigMap: 'own', policies })],
    ['policy-agent', (policies) => ({ pdp: { policies } })],
  ])('are taken by %s if the service takes them, and are installed as they are', (chart, valuesOf) => {
    const trials = { generated: oddPolicies, chart, valuesOf, together: 40, runs: 1 };
    const { wrong, taken, refused } = search(trials, disagreements);
    expect(wrong).toEqual([]);
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });
});
