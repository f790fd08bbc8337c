import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { stringify } from 'yaml';
import { temporaryFolder } from './support/folder.ts';
import { builtCharts, type ChartName, type Values } from './support/helm.ts';
import { rulesBrokenBy } from './support/kubernetes-rules.ts';
import { dataOf, manifestsIn, podOf, type Manifest } from './support/manifest.ts';
import { describeChart, tools } from './support/tools.ts';

interface Dependency {
  readonly name: ChartName;
  readonly alias?: string;
}

const VERSION = '0.2.0';

/** Renders an umbrella chart with these dependencies. @param added a template of the first */
function inUmbrella(dependencies: readonly Dependency[], values: Values, release = 'my', added = '') {
  const folder = temporaryFolder();
  const listed = dependencies.map((dependency) => ({ ...dependency, version: VERSION }));
  const chart = { apiVersion: 'v2', name: 'umbrella', version: '1.0.0', dependencies: listed };
  writeFileSync(path.join(folder, 'Chart.yaml'), stringify(chart));
  writeFileSync(path.join(folder, 'values.yaml'), stringify(values));
  for (const { name } of dependencies)
    cpSync(path.join(builtCharts(), name), path.join(folder, 'charts', name), { recursive: true });
  const [first] = dependencies;
  if (first && added !== '')
    writeFileSync(path.join(folder, 'charts', first.name, 'templates/added.yaml'), added);
  return spawnSync(tools.helm, ['template', release, folder, '--kube-version', '1.37.1'], {
    encoding: 'utf8',
  });
}

function rendered(dependencies: readonly Dependency[], values: Values): readonly Manifest[] {
  const { stdout, stderr } = inUmbrella(dependencies, values);
  if (stderr !== '') throw new Error(stderr);
  return manifestsIn(stdout);
}

const ORDERS: Dependency = { name: 'example-microservice', alias: 'orders' };
const BILLS: Dependency = { name: 'example-microservice', alias: 'billsOf_2026' };
const AGENT: Dependency = { name: 'policy-agent' };
const OWN: Dependency = { name: 'authz-jsonmasking' };

function sidecar(level: string): Values {
  return { 'authz-jsonmasking': { config: { log: { level } } } };
}

/** The labels of the pods of a Deployment. */
function podLabelsOf({ kind, spec }: Manifest): object | undefined {
  return kind === 'Deployment' ? Object(lodash.get(spec, 'template.metadata.labels')) : undefined;
}

/** The ConfigMaps of authorizers that pods mount. */
function mounted(manifests: readonly Manifest[]): readonly unknown[] {
  const pods = manifests.filter(({ kind }) => kind === 'Deployment').map((one) => podOf(one)?.volumes);
  const names = JSON.stringify(pods).matchAll(/"configMap":\{"name":"([^"]*jsonmasking[^"]*)"/gu);
  return lodash.sortBy(Array.from(names, ([, name]) => name));
}

describeChart('In one release', () => {
  it('each sidecar has a ConfigMap of its own', () => {
    const manifests = rendered([ORDERS, BILLS], { orders: sidecar('debug'), billsOf_2026: sidecar('error') });
    const configurations = manifests.filter(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-authz-jsonmasking'),
    );
    expect(configurations.map(({ metadata }) => metadata.name)).toEqual([
      'my-billsof-2026-authz-jsonmasking',
      'my-orders-authz-jsonmasking',
    ]);
    expect(configurations.map((one) => dataOf(one, 'config.yaml'))).toEqual([
      expect.stringContaining('level: error'),
      expect.stringContaining('level: debug'),
    ]);
    expect(mounted(manifests)).toEqual(['my-billsof-2026-authz-jsonmasking', 'my-orders-authz-jsonmasking']);
  });

  it('a microservice may have an alias that is as long as a label', () => {
    const manifests = rendered([{ ...ORDERS, alias: 'orders-'.padEnd(63, 'x') }], {});
    expect(manifests.filter(({ kind }) => kind === 'Deployment')).toHaveLength(1);
    expect(manifests.flatMap(rulesBrokenBy)).toEqual([]);
  });

  it('a sidecar and the authorizer of the agent are two', () => {
    const agent = { 'authz-jsonmasking': { enabled: true } };
    const manifests = rendered([ORDERS, AGENT], { orders: sidecar('debug'), 'policy-agent': agent });
    expect(mounted(manifests)).toEqual(['my-authz-jsonmasking', 'my-orders-authz-jsonmasking']);
  });

  const enabled = { enabled: true, config: { port: 5002, pdpUrl: 'http://pdp.bank.svc/resolve' } };

  it.each([
    ['one name', {}],
    ['one name of their own', { fullnameOverride: 'other' }],
    ['one label', { nameOverride: 'authz-jsonmasking-', fullnameOverride: 'other' }],
  ])('two authorizers cannot have %s for their pods', (_, own) => {
    const agent = { 'authz-jsonmasking': { enabled: true } };
    const values = { 'policy-agent': agent, 'authz-jsonmasking': { ...enabled, ...own } };
    const { status, stderr } = inUmbrella([AGENT, OWN], values);
    expect(status).toBe(1);
    expect(stderr).toContain(
      'the pods of two instances in this release have the label app.kubernetes.io/name: authz-jsonmasking\n' +
        '  - give each a nameOverride of its own',
    );
  });

  it('two authorizers have pods that only their own Service finds', () => {
    const agent = { 'authz-jsonmasking': { enabled: true } };
    const renamed = { 'policy-agent': agent, 'authz-jsonmasking': { ...enabled, nameOverride: 'other' } };
    const manifests = rendered([AGENT, OWN], renamed);
    const pods = manifests.flatMap((one) => podLabelsOf(one) ?? []);
    const services = manifests.filter(({ kind }) => kind === 'Service');
    expect([pods.length, services.length]).toEqual([3, 3]);
    const found = services.map(
      ({ spec }) =>
        pods.filter((labels) => lodash.isMatch(labels, Object(lodash.get(spec, 'selector')))).length,
    );
    expect(found).toEqual([1, 1, 1]);
  });

  it.each<[Values, string]>([
    [{}, 'the name my-pdp\n  - give each a global.policyAgent.pdp.host'],
    [
      { nameOverride: 'same', global: { policyAgent: { pdp: { host: 'other' } } } },
      'the name same\n  - give each a nameOverride',
    ],
  ])('two agents cannot have one PDP: %j', (values, words) => {
    const both = [AGENT, { ...AGENT, alias: 'second' }];
    const first = values['nameOverride'] === undefined ? {} : lodash.pick(values, 'nameOverride');
    const { status, stderr } = inUmbrella(both, { 'policy-agent': first, second: values });
    expect([status, stderr]).toEqual([1, expect.stringContaining(words)]);
  });

  it.each([AGENT, OWN])('the pods of an authorizer and of a PDP cannot look alike: %j', ({ name }) => {
    const values = {
      [name]:
        name === 'policy-agent' ? { nameOverride: 'authz-jsonmasking' } : { nameOverride: 'policy-agent' },
    };
    const { status, stderr } = inUmbrella(
      [AGENT, OWN],
      lodash.merge({}, { 'authz-jsonmasking': enabled }, values),
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/instances? in this release have the (label|name)/u),
    ]);
  });

  it.each<[Values]>([
    [{ 'policy-agent': { 'authz-jsonmasking': { enabled: true, fullnameOverride: 'my-pdp' } } }],
    [{ 'policy-agent': {}, 'authz-jsonmasking': { ...enabled, fullnameOverride: 'my-pdp' } }],
    [
      {
        'policy-agent': { global: { policyAgent: { pdp: { host: 'my-authz-jsonmasking' } } } },
        'authz-jsonmasking': enabled,
      },
    ],
  ])('an authorizer and a PDP cannot have one name: %j', (values) => {
    const { status, stderr } = inUmbrella('authz-jsonmasking' in values ? [AGENT, OWN] : [AGENT], values);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/has the name my-(pdp|authz\S+), too\n/u)]);
  });

  it('two agents have PDPs with names of their own', () => {
    const both = [AGENT, { ...AGENT, alias: 'second' }];
    const values = { second: { global: { policyAgent: { pdp: { host: 'other' } } } } };
    expect(rendered(both, values).filter(({ kind }) => kind === 'Deployment')).toHaveLength(2);
  });

  it('a sidecar may be rendered twice, as by a checksum of its file', () => {
    const file = '{{ include (print .Template.BasePath "/authorizer.yaml") . | sha256sum }}';
    const tested = inUmbrella([ORDERS], { orders: sidecar('debug') }, 'my', `# ${file}\n`);
    expect([tested.status, tested.stderr]).toEqual([0, '']);
  });

  it('two sidecars cannot have one name', () => {
    const same = { 'authz-jsonmasking': { fullnameOverride: 'same' } };
    const [orders, bills] = ['debug', 'info'].map((level) => lodash.merge(sidecar(level), same));
    const { status, stderr } = inUmbrella([ORDERS, BILLS], { orders, billsOf_2026: bills });
    expect([status, stderr]).toEqual([1, expect.stringContaining('have the name same\n')]);
  });

  it('two authorizers may have the same names in two namespaces', () => {
    const other = { ...enabled, config: { ...enabled.config, log: { level: 'debug' } } };
    const same = { nameOverride: 'same', fullnameOverride: 'same' };
    const values = {
      'authz-jsonmasking': { ...enabled, ...same, namespaceOverride: 'bank-0' },
      second: { ...other, ...same, namespaceOverride: 'bank-1' },
    };
    const manifests = rendered([OWN, { ...OWN, alias: 'second' }], values);
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.map(({ metadata: { name, namespace } }) => [name, namespace])).toEqual([
      ['same', 'bank-0'],
      ['same', 'bank-1'],
    ]);
  });

  it('two authorizers cannot be called like a release that has both names', () => {
    const both = [OWN, { ...OWN, alias: 'second' }];
    const values = { 'authz-jsonmasking': enabled, second: enabled };
    expect(inUmbrella(both, values).status).toBe(0);
    const { status, stderr } = inUmbrella(both, values, 'authz-jsonmasking-second');
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('have the name authz-jsonmasking-second\n'),
    ]);
  });

  const measured = { ...enabled, config: { ...enabled.config, metrics: { port: 9464 } } };
  const dashboard = { ...measured, dashboard: { enabled: true } };

  it.each<[string, Values, Values, string]>([
    ['the Service of its metrics', measured, { fullnameOverride: 'same-metrics' }, 'name same-metrics\n'],
    ['its dashboard', dashboard, { fullnameOverride: 'same-dashboard' }, 'name same-dashboard\n'],
    [
      'its ServiceAccount',
      { ...enabled, serviceAccount: { name: 'other' } },
      { fullnameOverride: 'other' },
      'name other for a ServiceAccount\n',
    ],
    [
      'its policies, which are in another Secret',
      { config: { port: 5002 }, existingPoliciesSecret: 'a' },
      { config: { port: 5002, pdpUrl: null }, existingPoliciesSecret: 'b', fullnameOverride: 'same' },
      'name same\n',
    ],
  ])('an authorizer keeps the name of %s', (_, first, second, words) => {
    const values = {
      'authz-jsonmasking': { ...first, fullnameOverride: 'same' },
      second: lodash.merge({}, enabled, second),
    };
    const { status, stderr } = inUmbrella([OWN, { ...OWN, alias: 'second' }], values);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`two instances in this release have the ${words}`),
    ]);
  });

  it.each(['my-pdp-config', 'my-pdp-authz'])('an authorizer cannot be called %s beside OPA', (name) => {
    const global = { policyAgent: { pdp: { protocol: 'opa', document: 'masking/decision' } } };
    const opa = { policies: { 'a.rego': 'package masking\n' }, config: { labels: { team: 'a' } } };
    const values = {
      'policy-agent': { global, pdp: { opa } },
      'authz-jsonmasking': { ...enabled, fullnameOverride: name },
    };
    const { status, stderr } = inUmbrella([AGENT, OWN], values);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`has the name ${name}, too\n`)]);
  });

  it('authorizers may share a ServiceAccount that one of them creates', () => {
    const values = {
      'authz-jsonmasking': { ...enabled, serviceAccount: { name: 'masking' } },
      second: { ...enabled, serviceAccount: { name: 'masking', create: false } },
    };
    const manifests = rendered([OWN, { ...OWN, alias: 'second' }], values);
    expect(manifests.filter(({ kind }) => kind === 'ServiceAccount')).toMatchObject([
      { metadata: { name: 'masking' } },
    ]);
  });

  it('two sidecars of one configuration cannot have one name, which only one of their charts would own', () => {
    const same = { 'authz-jsonmasking': { fullnameOverride: 'same' } };
    const { status, stderr } = inUmbrella([ORDERS, BILLS], { orders: same, billsOf_2026: same });
    expect([status, stderr]).toEqual([1, expect.stringContaining('have the name same\n')]);
  });
});
