import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { configTypes } from '../../scripts/generate/chart/config-schema.ts';
import { documentedValues } from '../../scripts/generate/chart/documented-values.ts';
import { refusal, render, renderText, type ChartName, type Values } from './support/helm.ts';
import { violations } from './support/kubeconform.ts';
import { dataOf, podOf, theOnly } from './support/manifest.ts';
import { MINIMAL, VARIANTS, valuesIn } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

/** Kubernetes would make a limit of 0 of that. */
const NO_LIMITS = { requests: null, limits: { cpu: null, memory: '1Gi' } };

/** The paths of all values that are documented, and of their groups. */
function keysOf(chart: ChartName): readonly string[] {
  const paths = documentedValues(`charts/${chart}`).map(({ path }) => path);
  const withGroups = paths.flatMap((path) => path.map((_, end) => path.slice(0, end + 1).join('.')));
  // Another protocol needs other values: `global` has a test below.
  return lodash.uniq(lodash.without(withGroups, 'global'));
}

/** One message with its key, not an error of a template. */
function isPlain(error: string, path: string): boolean {
  const key = path.split('.').at(-1) ?? '';
  return /problems? in the values|don't meet the specifications/.test(error) && error.includes(key);
}

/** Of all other values, null means that the chart's own is left out. */
function isGivenAnyway(value: unknown, key: string): boolean {
  const isGroup = /^(?:image|service|test|sidecar|pdp|dashboard|serviceAccount|global)$/.test(key);
  return (
    isGroup || (value !== null && typeof value === 'object' && (lodash.isEmpty(value) || 'enabled' in value))
  );
}

/** What comes of values in which one key is empty: what is rendered, or the error. */
function withEmptyKey(
  chart: ChartName,
  base: Values,
  key: string,
): { readonly text: string; readonly error: string } {
  const values = lodash.set(lodash.cloneDeep(base), key.split('.'), null);
  try {
    return { text: renderText(values, { chart }), error: '' };
  } catch (error) {
    return { text: '', error: String(lodash.get(error, 'stderr')) };
  }
}

function everythingOf(chart: ChartName): Values {
  const variants = VARIANTS.filter((variant) => variant.chart === chart);
  return variants.find(({ name }) => name.endsWith('everything'))?.values ?? {};
}

/** The paths of all lists in a schema; an index leads into the elements of a list. */
function listsIn(schema: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  const items: unknown = lodash.get(schema, 'items');
  const inMembers = Object.entries(lodash.get(schema, 'properties') ?? {}).flatMap(([name, member]) =>
    listsIn(member, [...path, name]),
  );
  return items === undefined ? inMembers : [path, ...listsIn(items, [...path, '0'])];
}

describeChart('An element without a value', () => {
  const lists = listsIn(configTypes()).map((path) => path.join('.'));

  it('is possible in several lists of the configuration', () => {
    expect(lists).toEqual(expect.arrayContaining(['pdpHeaders', 'routes', 'routes.0.methods']));
  });

  it.each(lists)('is refused, as the service refuses it: config.%s', (list) => {
    const values = lodash.set(lodash.cloneDeep(MINIMAL), `config.${list}`, [null]);
    expect(refusal(values)).toContain(`at '/config/${list.replaceAll('.', '/')}/0': got null`);
  });
});

describeChart('A key without a value', () => {
  it.each([null, {}, { name: null }, { name: '' }])('is refused in a claim of the resources: %j', (claim) => {
    const values = { ...MINIMAL, resources: { claims: [claim] } };
    expect(refusal(values)).toContain("at '/resources/claims/0");
  });

  it.each<ChartName>(['authz-jsonmasking', 'policy-agent'])(
    'leaves the manifests of %s valid, or is named in a plain message, whichever key it is',
    (chart) => {
      const keys = keysOf(chart);
      const outcomes = keys.map((key) => withEmptyKey(chart, everythingOf(chart), key));
      const unexplained = outcomes.filter(({ error }, i) => error !== '' && !isPlain(error, keys[i] ?? ''));
      expect(unexplained).toEqual([]);
      const texts = outcomes.flatMap(({ text }, i) => (text === '' ? [] : [[keys[i], text]]));
      expect(texts.length).toBeGreaterThan(100);
      expect(violations(lodash.fromPairs(texts), '1.37.1')).toBe('');
    },
    600_000,
  );

  it.each<[ChartName, Values]>([
    ['authz-jsonmasking', MINIMAL],
    ['policy-agent', {}],
  ])(
    'has its default, if it is a group or is empty by default: all such keys of %s at once',
    (chart, base) => {
      const defaults = valuesIn(readFileSync(`charts/${chart}/values.yaml`, 'utf8'));
      // Without the values of the authorizer, the agent's chart does not switch it off.
      const empty = lodash.pickBy(lodash.omit(defaults, 'authz-jsonmasking'), isGivenAnyway);
      expect(render({ ...lodash.mapValues(empty, () => null), ...base }, { chart })).toEqual(
        render(base, { chart }),
      );
    },
  );

  it.each([
    '',
    ...['', '.pdp', '.pdp.host', '.pdp.port', '.pdp.protocol'].map((key) => `.policyAgent${key}`),
  ])('has its default, if it is global%s of the agent', (key) => {
    const values = lodash.set({}, `global${key}`, null);
    expect(render(values, { chart: 'policy-agent' })).toEqual(render({}, { chart: 'policy-agent' }));
  });

  it.each<[ChartName, Values]>([
    ['authz-jsonmasking', { ...MINIMAL, resources: { limits: { 'example.com/a': null } } }],
    ['example-microservice', { 'authz-jsonmasking': { sidecar: { resources: NO_LIMITS } } }],
    ['policy-agent', { pdp: { resources: { limits: { 'example.com/a': null } } } }],
    ['policy-agent', { pdp: { readinessProbe: { terminationGracePeriodSeconds: null } } }],
    ['policy-agent', { test: { resources: { limits: { 'example.com/a': null } } } }],
  ])('is as if it were not there, if it has no default: %s, %j', (chart, values) => {
    const text = renderText(values, { chart });
    expect(text).not.toMatch(/: null$/mu);
    expect(violations({ one: text }, '1.37.1')).toBe('');
  });

  it.each(['metrics', 'health'])(
    'is as if it were not there, if it is %s.port of the configuration',
    (group) => {
      const manifests = render(lodash.merge({}, MINIMAL, { config: { [group]: { port: null } } }));
      const pod = podOf(theOnly(manifests, 'Deployment'));
      expect(lodash.map(pod?.containers, 'ports')).toEqual([[{ name: 'http', containerPort: 5002 }]]);
      expect(dataOf(theOnly(manifests, 'ConfigMap'), 'config.yaml')).not.toContain('port: null');
    },
  );
});
