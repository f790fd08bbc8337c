import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parse } from 'yaml';
import { problems, refusal, render, type Values } from './support/helm.ts';
import { dataOf, podOf, theOnly, type Manifest } from './support/manifest.ts';
import { describeChart } from './support/tools.ts';

/** What the agent's own PDP calls properties and prefixes. */
const NAMES = { attrName: 'column', object: 'table' };

function agent(values: Values = {}): readonly Manifest[] {
  return render(values, { chart: 'policy-agent' });
}

function authorizer(values: Values): Values {
  return { 'authz-jsonmasking': { enabled: true, ...values } };
}

function configuration(manifests: readonly Manifest[]): unknown {
  return parse(dataOf(theOnly(manifests, 'ConfigMap', 'my-authz-jsonmasking'), 'config.yaml'));
}

/** What is wrong with the agent's values and those of its authorizer. */
function problemsWith(values: Values, own: Values = {}): readonly string[] {
  return problems({ ...values, ...authorizer(own) }, { chart: 'policy-agent' });
}

/** How many resources of the authorizer there are. */
function authorizers(values: Values): number {
  return agent(values).filter(({ metadata: { name } }) => name.includes('jsonmasking')).length;
}

function podTemplate(values: Values): unknown {
  return lodash.get(theOnly(agent(values), 'Deployment'), ['spec', 'template']);
}

/** The problem of pods that two Services would find. */
function same(name: string): string {
  return `nameOverride must not be ${name} for the agent and for authz-jsonmasking: the Service of the authorizer would find the pods of the PDP`;
}

describeChart('The agent', () => {
  it('refuses a key of the PDP that it does not know', () => {
    expect(problemsWith({ global: { policyAgent: { pdp: { prt: 9000 } } } })).toEqual([
      'global.policyAgent.pdp.prt is not a known key; the keys are host, port, protocol and document',
    ]);
  });

  it('carries the authorizer switched off', () => {
    const names = agent().map(({ metadata: { name } }) => name);
    expect(new Set(names)).toEqual(new Set(['my-pdp', 'my-pdp-test']));
  });

  it('carries it switched on by a value, and off again', () => {
    expect(authorizers(authorizer({}))).toBeGreaterThan(0);
    expect(authorizers({ 'authz-jsonmasking': { enabled: false, config: { port: 0 } } })).toBe(0);
  });

  it('is the default PDP of its authorizer', () => {
    const manifests = agent(authorizer({}));
    expect(configuration(manifests)).toEqual({ port: 5002, ...NAMES, pdpHost: 'my-pdp', pdpPort: 8080 });
    expect(theOnly(manifests, 'Service', 'my-pdp')).toMatchObject({ spec: { ports: [{ port: 8080 }] } });
  });

  it('takes the whole configuration of the authorizer in its values', () => {
    const config = { port: 6000, ...NAMES, log: { level: 'debug' } };
    expect(configuration(agent(authorizer({ config })))).toEqual({
      ...config,
      pdpHost: 'my-pdp',
      pdpPort: 8080,
    });
  });

  it.each([
    [{ pdpUrl: 'https://other.example.com/resolve' }],
    [{ pdpHost: 'other.example.com', pdpPort: 443 }],
    [{ policyFile: 'policies.yaml' }],
  ])('leaves the authorizer its own PDP: %j', (pdp) => {
    expect(configuration(agent(authorizer({ config: pdp })))).toEqual({ port: 5002, ...NAMES, ...pdp });
  });

  it('keeps the Service, its port and what the authorizer asks together', () => {
    const global = { policyAgent: { pdp: { host: 'decisions', port: 9090 } } };
    const manifests = agent({ global, ...authorizer({}) });
    expect(theOnly(manifests, 'Service', 'decisions')).toMatchObject({ spec: { ports: [{ port: 9090 }] } });
    expect(podOf(theOnly(manifests, 'Deployment', 'decisions'))).toMatchObject({
      containers: [{ args: expect.arrayContaining(['9090']), ports: [{ containerPort: 9090 }] }],
    });
    expect(configuration(manifests)).toMatchObject({ pdpHost: 'decisions', pdpPort: 9090 });
  });

  it('can do without a PDP of its own', () => {
    const global = { policyAgent: { pdp: { host: 'https://pdp.example.com', port: 443 } } };
    const manifests = agent({ pdp: { enabled: false }, global, ...authorizer({}) });
    expect(manifests.filter(({ metadata: { name } }) => name.includes('pdp'))).toEqual([]);
    expect(configuration(manifests)).toMatchObject({ pdpHost: 'https://pdp.example.com', pdpPort: 443 });
  });

  it('stops the installation with the manifest error of the authorizer if its configuration is not valid', () => {
    const values = authorizer({ config: { maxBody: 0, log: { level: 'loud' } } });
    expect(refusal(values, { chart: 'policy-agent' })).toContain(
      'authz-jsonmasking: 2 problems in the values',
    );
    expect(problems(values, { chart: 'policy-agent' })).toEqual([
      'config.log.level must be one of error, warn, info, debug',
      'config.maxBody must be an integer from 1 to 256',
    ]);
    const misspelt = authorizer({ config: { prot: 1 } });
    expect(refusal(misspelt, { chart: 'policy-agent' })).toContain("'prot' not allowed");
    const withoutPort = authorizer({ config: { port: null } });
    expect(problems(withoutPort, { chart: 'policy-agent' })).toContain(
      'config.port is required and must be an integer from 0 to 65535',
    );
  });

  it('stops it if it would have no PDP at all', () => {
    const values = { pdp: { enabled: false }, ...authorizer({}) };
    expect(problems(values, { chart: 'policy-agent' })).toEqual([
      'The authorizer has no PDP: pdp.enabled is false, and neither global.policyAgent.pdp nor authz-jsonmasking.config names another PDP',
    ]);
  });

  it('stops it for a name that is no Service, a secret in the policies, and a pod that could not stop in time', () => {
    const values = {
      global: { policyAgent: { pdp: { host: 'pdp.example.com' } } },
      pdp: {
        policies: { scopes: [{ clientId: 'a', clientSecret: 'not to be seen' }] },
        terminationGracePeriodSeconds: 15,
        podLabels: { 'app.kubernetes.io/component': 'other' },
      },
    };
    expect(problems(values, { chart: 'policy-agent' })).toEqual([
      'global.policyAgent.pdp.host must be the name of a Service, such as {{ .Release.Name }}-pdp, while pdp.enabled is true',
      expect.stringContaining('pdp.policies.scopes[0].clientSecret must not be in a ConfigMap'),
      'pdp.terminationGracePeriodSeconds must be more than 15: the PDP takes that long to stop',
      'pdp.podLabels.app.kubernetes.io/component must not be given: the Deployment and the Service find the pods by it',
    ]);
  });

  it.each([['abc'], [80.5], [0], [65_536]])('stops it for the port %s', (port) => {
    const values = { global: { policyAgent: { pdp: { port } } } };
    expect(problems(values, { chart: 'policy-agent' })).toContain(
      'global.policyAgent.pdp.port must be an integer from 1 to 65535',
    );
  });

  it('stops an authorizer that would not reach the PDP: in another namespace, or at the port of TLS', () => {
    const problem = expect.stringContaining('authz-jsonmasking.namespaceOverride must be the same');
    expect(problemsWith({ namespaceOverride: 'other' })).toEqual([problem]);
    expect(problemsWith({}, { namespaceOverride: 'other' })).toEqual([problem]);
    expect(problemsWith({ namespaceOverride: 'other' }, { namespaceOverride: 'other' })).toEqual([]);
    expect(problemsWith({ namespaceOverride: 'other' }, { enabled: false })).toEqual([]);
    const port = { global: { policyAgent: { pdp: { port: 443 } } } };
    expect(problemsWith(port)).toEqual([
      expect.stringContaining('global.policyAgent.pdp.port must not be 443'),
    ]);
    expect(problemsWith(port, { enabled: false })).toEqual([]);
    expect(problemsWith(port, { config: { pdpHost: 'pdp.example.com' } })).toEqual([]);
  });

  it('renders an authorizer by itself whose values have no more than the name of the global ones', () => {
    for (const global of [null, {}, { policyAgent: null }, { policyAgent: { pdp: null } }])
      expect(render({ config: { port: 5002, pdpHost: 'pdp' }, global })).not.toEqual([]);
  });

  it('stops an authorizer that would look for other names than the PDP answers with', () => {
    const pdp = { policies: { attrName: 'field' } };
    expect(problems({ pdp, ...authorizer({}) }, { chart: 'policy-agent' })).toEqual([
      "authz-jsonmasking.config.attrName must be field, as in the answers of the agent's PDP (pdp.policies)",
    ]);
    const named = authorizer({ config: { attrName: 'field' } });
    expect(problems({ pdp, ...named }, { chart: 'policy-agent' })).toEqual([]);
    const withoutObject = authorizer({ config: { object: null } });
    expect(problems(withoutObject, { chart: 'policy-agent' })).toEqual([
      "authz-jsonmasking.config.object must be table, as in the answers of the agent's PDP (pdp.policies)",
    ]);
  });

  it('lets its PDP serve on when it stops, for as long as nobody sends to it any more', () => {
    const pdp = podOf(theOnly(agent(), 'Deployment'))?.containers[0];
    expect(pdp?.args).toEqual(expect.arrayContaining(['--drain-delay', '5000']));
    expect(pdp).not.toHaveProperty('lifecycle');
  });

  it('lets its image, its command and its policies be replaced', () => {
    const pdp = {
      image: { repository: 'example.com/pdp', tag: '7' },
      command: ['/pdp'],
      args: ['--port={{ .Values.global.policyAgent.pdp.port }}'],
      existingPoliciesSecret: 'policies',
    };
    expect(podOf(theOnly(agent({ pdp }), 'Deployment'))).toMatchObject({
      containers: [{ image: 'example.com/pdp:7', command: ['/pdp'], args: ['--port=8080'] }],
      volumes: [{ secret: { secretName: 'policies' } }],
    });
  });

  it('takes the policies from one place', () => {
    const policies = { policies: [{ name: 'Mine', properties: ['ssn'], action: 'MASK' }] };
    const both =
      'pdp.policies, pdp.existingPoliciesConfigMap and pdp.existingPoliciesSecret exclude each other';
    for (const pdp of [
      { existingPoliciesSecret: 'a', existingPoliciesConfigMap: 'b' },
      { policies, existingPoliciesConfigMap: 'b' },
      { policies, existingPoliciesSecret: 'a' },
    ])
      expect(problems({ pdp }, { chart: 'policy-agent' })).toEqual([both]);
    for (const pdp of [{ policies }, { existingPoliciesSecret: 'a' }])
      expect(problems({ pdp }, { chart: 'policy-agent' })).toEqual([]);
    const ofOpa = { global: { policyAgent: { pdp: { protocol: 'opa' } } } };
    const opa = { existingPoliciesConfigMap: 'c' };
    expect(problems({ ...ofOpa, pdp: { policies, opa } }, { chart: 'policy-agent' })).toEqual([
      'pdp.policies is not read with protocol: opa; give the Rego files in pdp.opa.policies',
    ]);
    const others = { existingPoliciesConfigMap: 'b', command: ['pdp'], opa };
    expect(problems({ ...ofOpa, pdp: others }, { chart: 'policy-agent' })).toEqual([
      'pdp.existingPoliciesConfigMap is not read with protocol: opa; give the Rego files in pdp.opa.existingPoliciesConfigMap',
      'pdp.command is not read with protocol: opa; the image starts OPA, with pdp.opa.args',
    ]);
    expect(problems({ ...ofOpa, pdp: { opa } }, { chart: 'policy-agent' })).toEqual([]);
  });

  it('stops an authorizer that would be installed alone, and one whose Service would find the pods of the PDP', () => {
    expect(problemsWith({ enabled: false })).toEqual([
      'authz-jsonmasking.enabled must be false with enabled: false: Helm installs the authorizer by its own value, and it has no PDP',
    ]);
    expect(agent({ enabled: false })).toEqual([]);
    expect(problemsWith({ enabled: false }, { config: { ...NAMES, pdpUrl: 'http://pdp/resolve' } })).toEqual(
      [],
    );
    expect(problemsWith({}, { nameOverride: 'policy-agent' })).toEqual([same('policy-agent')]);
    expect(problemsWith({ nameOverride: 'authz-jsonmasking' })).toEqual([same('authz-jsonmasking')]);
    expect(problemsWith({ nameOverride: 'a' }, { nameOverride: 'b' })).toEqual([]);
  });

  it('leaves the pods of the PDP as they are when its policies change', () => {
    expect(podTemplate({ pdp: { policies: { tokenValidity: 5 } } })).toEqual(podTemplate({}));
  });

  it('is itself switched off by an umbrella of its own', () => {
    expect(agent({ enabled: false })).toEqual([]);
  });

  it('refuses values that it does not know', () => {
    expect(refusal({ pdb: {} }, { chart: 'policy-agent' })).toContain("'pdb' not allowed");
  });
});
