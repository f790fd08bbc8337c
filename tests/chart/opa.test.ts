import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parse } from 'yaml';
import { problems, refusal, render, type Values } from './support/helm.ts';
import { dataOf, podOf, theOnly, type Manifest } from './support/manifest.ts';
import { describeChart } from './support/tools.ts';

const MASKING = `package masking

decision := {"rules": [{"policy": "Card numbers", "properties": ["card"], "action": "last(4)"}]}
`;

const OPA: Values = { policies: { 'masking.rego': MASKING } };

function values(opa: Values = OPA, pdp: Values = {}, place: Values = {}): Values {
  const global = { policyAgent: { pdp: { protocol: 'opa', ...place } } };
  return { global, pdp: { opa, ...pdp }, 'authz-jsonmasking': { enabled: true } };
}

function agent(given: Values): readonly Manifest[] {
  return render(given, { chart: 'policy-agent' });
}

function problemsOf(given: Values): readonly string[] {
  return problems(given, { chart: 'policy-agent' });
}

function configuration(manifests: readonly Manifest[]): unknown {
  return parse(dataOf(theOnly(manifests, 'ConfigMap', 'my-authz-jsonmasking'), 'config.yaml'));
}

/** The arguments of OPA. */
function argsOf(opa: Values): readonly string[] {
  return podOf(theOnly(agent(values(opa)), 'Deployment', 'my-pdp'))?.containers[0]?.args ?? [];
}

function checksum(opa: Values): unknown {
  const path = ['spec', 'template', 'metadata', 'annotations', 'checksum/policies'];
  return lodash.get(theOnly(agent(values(opa)), 'Deployment', 'my-pdp'), path);
}

/** Whether there is the policy of the chart by which OPA authorizes requests, and whether it is used. */
function authorized(opa: Values): readonly boolean[] {
  const names = agent(values(opa)).map(({ metadata: { name } }) => name);
  return [names.includes('my-pdp-authz'), argsOf(opa).includes('--authorization=basic')];
}

describeChart('The agent with Open Policy Agent as its PDP', () => {
  it('runs OPA, and has the authorizer ask it for the document', () => {
    const manifests = agent(values());
    expect(configuration(manifests)).toMatchObject({
      pdpProtocol: 'opa',
      pdpUrl: 'http://my-pdp:8080/v1/data/masking/decision',
    });
    const pod = podOf(theOnly(manifests, 'Deployment', 'my-pdp'));
    expect(pod?.containers[0]).toMatchObject({
      image: 'docker.io/openpolicyagent/opa:1.22.2-static',
      args: expect.arrayContaining(['run', '--server', '--addr=:8080', '/etc/policy-agent']),
      livenessProbe: { httpGet: { path: '/health' } },
      readinessProbe: { httpGet: { path: '/health?bundles' } },
      securityContext: { readOnlyRootFilesystem: true },
    });
    expect(dataOf(theOnly(manifests, 'ConfigMap', 'my-pdp'), 'masking.rego')).toBe(MASKING);
    expect(theOnly(manifests, 'Service', 'my-pdp')).toMatchObject({ spec: { ports: [{ port: 8080 }] } });
  });

  it.each(['/masking/decision', 'masking/decision/', 'masking//decision', '//masking/decision//'])(
    'asks for the document %s without slashes too many, which OPA would redirect',
    (document) => {
      const manifests = agent(values(OPA, {}, { document }));
      expect(configuration(manifests)).toMatchObject({
        pdpUrl: 'http://my-pdp:8080/v1/data/masking/decision',
      });
      const data = dataOf(theOnly(manifests, 'ConfigMap', 'my-pdp-authz'), 'authz.rego');
      expect(data.replaceAll(' ', '')).toContain('["v1","data","masking","decision"]');
    },
  );

  it('loads bundles by a configuration, from a ConfigMap or from a Secret', () => {
    const config = { bundles: { masking: { resource: '/bundle.tar.gz' } } };
    const bundled = agent(values({ config }));
    expect(parse(dataOf(theOnly(bundled, 'ConfigMap', 'my-pdp-config'), 'config.yaml'))).toEqual(config);
    const pod = podOf(theOnly(bundled, 'Deployment', 'my-pdp'));
    expect(pod?.containers[0]?.args).toContain('--config-file=/etc/opa/config.yaml');
    expect(pod?.containers[0]?.args).not.toContain('/etc/policy-agent');
    expect(pod?.volumes).toEqual([{ name: 'config', configMap: { name: 'my-pdp-config' } }]);
    const secret = podOf(theOnly(agent(values({ existingConfigSecret: 'opa' })), 'Deployment', 'my-pdp'));
    expect(secret?.volumes).toEqual([{ name: 'config', secret: { secretName: 'opa' } }]);
  });

  it('takes policies that exist already', () => {
    const manifests = agent(values({ existingPoliciesConfigMap: 'rego' }));
    const pod = podOf(theOnly(manifests, 'Deployment', 'my-pdp'));
    expect(pod?.volumes).toContainEqual({ name: 'policies', configMap: { name: 'rego' } });
    expect(
      manifests.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'my-pdp'),
    ).toEqual([]);
  });

  it('watches policies that exist already, unless it may have bundles, whose data it would discard', () => {
    expect(argsOf({ existingPoliciesConfigMap: 'rego' })).toContain('--watch');
    expect(argsOf({ existingPoliciesConfigMap: 'rego', existingConfigSecret: 'opa' })).not.toContain(
      '--watch',
    );
    expect(argsOf(OPA)).not.toContain('--watch');
  });

  it('restarts its pods for another ConfigMap or Secret that exists already', () => {
    const sums = [
      { existingPoliciesConfigMap: 'a' },
      { existingPoliciesConfigMap: 'b' },
      { existingConfigSecret: 'a' },
      { existingConfigSecret: 'b' },
    ].map(checksum);
    expect(new Set(sums).size).toBe(sums.length);
  });

  it('answers only the decision, health and metrics, unless it has only bundles or an authorization of its own', () => {
    expect(authorized(OPA)).toEqual([true, true]);
    expect(authorized({ existingPoliciesConfigMap: 'rego' })).toEqual([true, true]);
    expect(authorized({ existingConfigSecret: 'opa' })).toEqual([false, false]);
    expect(authorized({ ...OPA, args: ['run', '--server', '--authorization=off'] })).toEqual([false, false]);
  });

  it('lets in only callers, and out only to what it needs, with a NetworkPolicy', () => {
    const networkPolicy = { enabled: true, extraEgress: [{ to: [{ ipBlock: { cidr: '10.9.0.0/16' } }] }] };
    const policy = theOnly(agent(values(OPA, { networkPolicy })), 'NetworkPolicy', 'my-pdp');
    expect(policy).toMatchObject({
      spec: {
        podSelector: { matchLabels: { 'app.kubernetes.io/component': 'pdp' } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ from: [{ podSelector: {} }], ports: [{ port: 'http' }] }],
        egress: [{ ports: [{ port: 53 }, { port: 53 }] }, { to: [{ ipBlock: { cidr: '10.9.0.0/16' } }] }],
      },
    });
  });

  it('asks an OPA elsewhere if it has none', () => {
    const place = { host: 'https://opa.example.com', port: 443 };
    const manifests = agent(values({}, { enabled: false }, place));
    expect(configuration(manifests)).toMatchObject({
      pdpProtocol: 'opa',
      pdpUrl: 'https://opa.example.com:443/v1/data/masking/decision',
    });
  });

  it('has an AuthZEN question asked of its own PDP, which answers it', () => {
    const manifests = agent({
      global: { policyAgent: { pdp: { protocol: 'authzen' } } },
      'authz-jsonmasking': { enabled: true },
    });
    expect(configuration(manifests)).toMatchObject({ pdpProtocol: 'authzen', pdpUrl: 'http://my-pdp:8080' });
  });

  it.each<[string, Values, string | RegExp]>([
    [
      'no policies',
      values({}),
      /^pdp\.opa has no policies; give policies, existingPoliciesConfigMap, or bundles/u,
    ],
    ['two sources of policies', values({ ...OPA, existingPoliciesConfigMap: 'a' }), /exclude each other$/u],
    [
      'two configurations',
      values({ ...OPA, config: { labels: {} }, existingConfigSecret: 'a' }),
      /exclude each other$/u,
    ],
    [
      'a credential in a ConfigMap',
      values({
        ...OPA,
        config: { services: { s: { credentials: { bearer: { token: 'not to be seen' } } } } },
      }),
      /^pdp\.opa\.config has credentials, which must not be in a ConfigMap/u,
    ],
    [
      'a file that OPA does not load',
      values({ policies: { 'masking.txt': '' } }),
      /^pdp\.opa\.policies\.masking\.txt must be/u,
    ],
    [
      'a grace period that is too short',
      values(OPA, { terminationGracePeriodSeconds: 15 }),
      /must be more than 15/u,
    ],
  ])('is refused with %s', (_, given, problem) => {
    expect(problemsOf(given)).toEqual([expect.stringMatching(problem)]);
    expect(refusal(given, { chart: 'policy-agent' })).not.toContain('not to be seen');
  });

  it.each(['a', 'a\n', 'a\n\n', '\n', '\uFEFFa\n\n'])(
    'has files and a configuration that end with %j as they are',
    (end) => {
      const given = { policies: { 'a.rego': MASKING, 'b.rego': end }, config: { labels: { a: end } } };
      const manifests = agent(values(given));
      expect(theOnly(manifests, 'ConfigMap', 'my-pdp')['data']).toEqual(given.policies);
      expect(parse(dataOf(theOnly(manifests, 'ConfigMap', 'my-pdp-config'), 'config.yaml'))).toEqual(
        given.config,
      );
    },
  );

  it.each(['/', 'a b', 'a?b', 'a#b', 'a\n', 'a\\b', 'a%zz', 'a/../b', '%2E/b', '${A}', '\u00A0'])(
    'is refused with the document %j, which is no path, or another one in a URL',
    (document) => {
      const opa = values({ ...OPA }, {}, { document });
      expect(
        problems({ ...opa, 'authz-jsonmasking': { enabled: false } }, { chart: 'policy-agent' }),
      ).toEqual([
        expect.stringMatching(/^global\.policyAgent\.pdp\.document (?:is required|must be the path)/u),
      ]);
    },
  );

  it.each(['a%2Fb', 'é', "a.b-c_d~e!f$g&h'(i)*+,;=:@"])('is taken with the document %s', (document) => {
    expect(problems(values(OPA, {}, { document }), { chart: 'policy-agent' })).toEqual([]);
  });

  it('is refused without a document, by the agent and by the authorizer in the words of the service', () => {
    const withoutDocument = values(OPA, {}, { document: '' });
    expect(problemsOf(withoutDocument)).toEqual([
      expect.stringMatching(
        /^(?:global\.policyAgent\.pdp\.document is required|config\.pdpUrl must have the path of the document)/u,
      ),
    ]);
  });

  it('is refused with another word for the protocol', () => {
    expect(problemsOf({ global: { policyAgent: { pdp: { protocol: 'rego' } } } })).toEqual([
      'global.policyAgent.pdp.protocol must be one of resolution, opa, authzen',
    ]);
  });
});
