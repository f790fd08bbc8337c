import { afterEach, expect, it } from '@jest/globals';
import lodash from 'lodash';
import { createEnforcer } from '../../src/library.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { fileWith } from '../support/folder.ts';
import { problems, render, type Values } from './support/helm.ts';
import { dataOf, kindsOf, podOf, theOnly, type Manifest } from './support/manifest.ts';
import { describeChart } from './support/tools.ts';

afterEach(closeAll);

const OPA: Values = { policies: { 'masking.rego': 'package masking\n' } };

function agent(pdp: Values, protocol = 'resolution', values: Values = {}): readonly Manifest[] {
  return render(lodash.merge(valuesOf(pdp, protocol), values), { chart: 'policy-agent' });
}

function valuesOf(pdp: Values, protocol: string): Values {
  return {
    global: { policyAgent: { pdp: { protocol } } },
    pdp: { ...(protocol === 'opa' && { opa: OPA }), ...pdp },
  };
}

function problemsOf(pdp: Values, protocol = 'resolution'): readonly string[] {
  return problems(valuesOf(pdp, protocol), { chart: 'policy-agent' });
}

function pathsOf(manifests: readonly Manifest[]): unknown {
  const paths: unknown = lodash.get(theOnly(manifests, 'Ingress'), 'spec.rules[0].http.paths');
  return lodash.map(lodash.castArray(paths), 'path');
}

const INGRESS = { enabled: true, hosts: [{ host: 'pdp.{{ .Release.Name }}.example.com' }] };

describeChart("The Ingress of the agent's PDP", () => {
  it('leads to the paths that decisions are asked for at, in the protocol of the PDP', () => {
    const resolution = agent({ ingress: INGRESS });
    expect(pathsOf(resolution)).toEqual(['/api/runtime/resolution/v3', '/api/runtime/token/v3']);
    expect(pathsOf(agent({ ingress: INGRESS }, 'opa'))).toEqual(['/v1/data/masking/decision']);
    expect(pathsOf(agent({ ingress: INGRESS }, 'authzen'))).toEqual([
      '/access/v1/evaluation',
      '/access/v1/evaluations',
    ]);
    expect(theOnly(resolution, 'Ingress')).toMatchObject({
      spec: {
        rules: [
          {
            host: 'pdp.my.example.com',
            http: { paths: [{ pathType: 'Exact', backend: { service: { name: 'my-pdp' } } }, {}] },
          },
        ],
      },
    });
  });

  it('leads to the paths of a host that has some, and needs a host', () => {
    const hosts = [{ host: 'pdp.example.com', paths: [{ path: '/v1', pathType: 'Prefix' }] }];
    expect(pathsOf(agent({ ingress: { enabled: true, hosts } }, 'opa'))).toEqual(['/v1']);
    expect(problemsOf({ ingress: { enabled: true } })).toEqual([
      'pdp.ingress.hosts is required: an Ingress without hosts matches the requests for all hosts',
    ]);
  });

  it('is left out by default, and with the PDP', () => {
    expect(kindsOf(agent({}))).not.toContain('Ingress');
    expect(kindsOf(agent({ enabled: false, ingress: INGRESS }))).toEqual([]);
  });
});

describeChart("The ServiceMonitor of the agent's PDP", () => {
  const serviceMonitor = { enabled: true, labels: { release: 'prometheus' }, interval: '15s' };

  it('has Prometheus scrape Open Policy Agent through its Service', () => {
    const manifests = agent({ serviceMonitor }, 'opa');
    const monitor = theOnly(manifests, 'ServiceMonitor');
    expect(monitor).toMatchObject({
      metadata: { labels: { release: 'prometheus' } },
      spec: { endpoints: [{ port: 'http', path: '/metrics', interval: '15s' }] },
    });
    const selector: unknown = lodash.get(monitor, 'spec.selector.matchLabels');
    expect(theOnly(manifests, 'Service').metadata.labels).toMatchObject(Object(selector));
  });

  it('is refused for a PDP without metrics, and below a NetworkPolicy that keeps Prometheus out', () => {
    expect(problemsOf({ serviceMonitor })).toEqual([
      "pdp.serviceMonitor.enabled needs a PDP with metrics, such as Open Policy Agent; the one of the authorizer's image has none",
    ]);
    expect(problemsOf({ serviceMonitor, networkPolicy: { enabled: true } }, 'opa')).toEqual([
      'pdp.networkPolicy.monitoring is required with pdp.serviceMonitor.enabled: without it, the metrics cannot be read',
    ]);
  });

  it('is accepted for another PDP runtime, which may have metrics', () => {
    const image = { repository: 'example.com/pdp', tag: '7' };
    for (const args of [null, ['--listen', ':8080']]) {
      expect(kindsOf(agent({ serviceMonitor, image, args }))).toContain('ServiceMonitor');
    }
  });

  it('comes with a NetworkPolicy that lets in who reads the metrics, and helm test', () => {
    const prometheus = { namespaceSelector: { matchLabels: { name: 'monitoring' } } };
    const callers = [{ podSelector: { matchLabels: { app: 'orders' } } }];
    const networkPolicy = { enabled: true, callers, monitoring: [prometheus] };
    const manifests = agent({ serviceMonitor, networkPolicy }, 'opa');
    const test = { podSelector: { matchLabels: theOnly(manifests, 'Pod').metadata.labels } };
    const ports = [{ port: 'http' }];
    expect(theOnly(manifests, 'NetworkPolicy')).toMatchObject({
      spec: { ingress: [{ from: [...callers, test, prometheus], ports }] },
    });
    const extraIngress = [{ from: callers, ports: [{ port: 'http' }] }];
    const others = { ...networkPolicy, callers: [], extraIngress };
    expect(theOnly(agent({ serviceMonitor, networkPolicy: others }, 'opa'), 'NetworkPolicy')).toMatchObject({
      spec: { ingress: [{ from: [test, prometheus], ports }, ...extraIngress] },
    });
  });
});

/** The ServiceAccount of the pods, and whether the chart has one. */
function account(serviceAccount: Values): readonly unknown[] {
  const manifests = agent({ serviceAccount });
  const name: unknown = lodash.get(theOnly(manifests, 'Deployment'), 'spec.template.spec.serviceAccountName');
  return [name, kindsOf(manifests).includes('ServiceAccount')];
}

function budget(podDisruptionBudget: Values): unknown {
  return lodash.omit(
    Object(theOnly(agent({ podDisruptionBudget }), 'PodDisruptionBudget')['spec']),
    'selector',
  );
}

function policy(networkPolicy: Values): Manifest {
  return theOnly(agent({ networkPolicy: { enabled: true, ...networkPolicy } }), 'NetworkPolicy');
}

describeChart("The pods of the agent's PDP", () => {
  const workload = {
    runtimeClassName: 'gvisor',
    schedulerName: 'bin-packer',
    dnsPolicy: 'Default',
    dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
    hostAliases: [{ ip: '10.0.0.1', hostnames: ['bundles.internal'] }],
  };

  it('run as the values say', () => {
    const envFrom = [{ secretRef: { name: 'more' } }];
    const labels = { deploymentLabels: { layer: 'edge' }, deploymentAnnotations: { note: 'yes' } };
    const deployment = theOnly(agent({ ...workload, ...labels, envFrom }), 'Deployment');
    expect(deployment.metadata).toMatchObject({ labels: { layer: 'edge' }, annotations: { note: 'yes' } });
    expect(lodash.get(deployment, 'spec.template.spec')).toMatchObject({
      ...workload,
      containers: [{ name: 'pdp', envFrom }],
    });
  });

  it('run as a ServiceAccount that exists, or as the default one', () => {
    expect(account({})).toEqual(['my-pdp', true]);
    expect(account({ name: 'own' })).toEqual(['own', true]);
    expect(account({ create: false, name: 'own' })).toEqual(['own', false]);
    expect(account({ create: false })).toEqual(['default', false]);
  });

  it('are counted by a HorizontalPodAutoscaler with any metric, and no other one controls their requests', () => {
    const autoscaling = { enabled: true, targetCPUUtilizationPercentage: null };
    const memory = { ...autoscaling, targetMemoryUtilizationPercentage: 80 };
    expect(theOnly(agent({ autoscaling: memory }), 'HorizontalPodAutoscaler')).toMatchObject({
      spec: {
        metrics: [{ resource: { name: 'memory', target: { averageUtilization: 80 } } }],
        behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
      },
    });
    expect(problemsOf({ autoscaling })).toEqual([
      'pdp.autoscaling needs a target: targetCPUUtilizationPercentage, targetMemoryUtilizationPercentage or metrics',
    ]);
    expect(problemsOf({ autoscaling: { enabled: true, minReplicas: 5, maxReplicas: 3 } })).toEqual([
      'pdp.autoscaling.minReplicas must not be greater than pdp.autoscaling.maxReplicas',
    ]);
    const verticalPodAutoscaler = { enabled: true, updateMode: 'Recreate' };
    expect(problemsOf({ autoscaling: memory, verticalPodAutoscaler })).toEqual([
      'pdp.verticalPodAutoscaler.controlledResources must not have memory, because pdp.autoscaling already scales by it',
    ]);
  });

  it('are watched by a VerticalPodAutoscaler, by the name of their container', () => {
    const verticalPodAutoscaler = { enabled: true, maxAllowed: { cpu: '2' }, labels: { team: 'payments' } };
    const manifests = agent({ verticalPodAutoscaler });
    const [container] = podOf(theOnly(manifests, 'Deployment'))?.containers ?? [];
    expect(theOnly(manifests, 'VerticalPodAutoscaler')).toMatchObject({
      metadata: { labels: { team: 'payments' } },
      spec: {
        targetRef: { kind: 'Deployment', name: 'my-pdp' },
        updatePolicy: { updateMode: 'Off' },
        resourcePolicy: {
          containerPolicies: [
            {
              containerName: container?.name,
              minAllowed: { cpu: '50m', memory: '96Mi' },
              maxAllowed: { cpu: '2' },
            },
          ],
        },
      },
    });
  });

  it('can be evicted as far as the PodDisruptionBudget allows, which never blocks a drain', () => {
    expect(budget({})).toEqual({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
    expect(budget({ minAvailable: '50%', unhealthyPodEvictionPolicy: '' })).toEqual({ minAvailable: '50%' });
    expect(problemsOf({ podDisruptionBudget: { minAvailable: 2 } })).toEqual([
      'pdp.podDisruptionBudget.minAvailable must be less than the number of pods (2), otherwise no node can be drained',
    ]);
  });
});

describeChart("The ways to the agent's PDP", () => {
  it('are a Service of any type', () => {
    const service = {
      type: 'NodePort',
      nodePort: 30_080,
      ipFamilyPolicy: 'PreferDualStack',
      labels: { a: 'b' },
    };
    expect(theOnly(agent({ service }), 'Service')).toMatchObject({
      metadata: { labels: { a: 'b' } },
      spec: {
        type: 'NodePort',
        ipFamilyPolicy: 'PreferDualStack',
        ports: [{ port: 8080, nodePort: 30_080 }],
      },
    });
  });

  it('are an HTTPRoute to the paths of decisions, which needs a gateway', () => {
    const httpRoute = { enabled: true, parentRefs: [{ name: 'gateway' }], hostnames: ['pdp.example.com'] };
    const backendRefs = [{ name: 'my-pdp', port: 8080 }];
    const path = { type: 'Exact', value: '/v1/data/masking/decision' };
    expect(theOnly(agent({ httpRoute }, 'opa'), 'HTTPRoute')).toMatchObject({
      spec: { hostnames: ['pdp.example.com'], rules: [{ backendRefs, matches: [{ path }] }] },
    });
    const matches = [{ path: { type: 'PathPrefix', value: '/' } }];
    expect(theOnly(agent({ httpRoute: { ...httpRoute, matches } }), 'HTTPRoute')).toMatchObject({
      spec: { rules: [{ backendRefs, matches }] },
    });
    expect(problemsOf({ httpRoute: { enabled: true } })).toEqual([
      'pdp.httpRoute.parentRefs is required: list the gateways of the route',
    ]);
  });

  it.each<[Values, number]>([
    [{ enabled: true }, 1],
    [{ enabled: false }, 0],
    [{ enabled: true, config: { pdpUrl: 'http://other/' } }, 0],
  ])('are open to the authorizer of the agent beside the callers: %j', (authorizer, found) => {
    const callers = [{ podSelector: { matchLabels: { app: 'orders' } } }];
    const networkPolicy = { enabled: true, callers };
    const manifests = agent({ networkPolicy }, 'resolution', { 'authz-jsonmasking': authorizer });
    const from = lodash.get(theOnly(manifests, 'NetworkPolicy', 'my-pdp'), 'spec.ingress[0].from');
    const labels = lodash.map(Object(from), 'podSelector.matchLabels');
    const pods = manifests
      .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'my-authz-jsonmasking')
      .map((one) => Object(lodash.get(one, 'spec.template.metadata.labels')));
    const letIn = pods.filter((pod) => labels.some((one) => lodash.isMatch(pod, Object(one))));
    expect(letIn).toHaveLength(found);
  });

  it('are closed by a NetworkPolicy that names callers, and lets nothing out without name servers', () => {
    expect(policy({})).toMatchObject({ spec: { egress: [{ ports: [{ port: 53 }, { port: 53 }] }] } });
    expect(policy({ dns: [] })['spec']).not.toHaveProperty('egress');
    expect(problemsOf({ networkPolicy: { enabled: true, callers: [] } })).toEqual([
      'pdp.networkPolicy.callers is required: without it, no pod can ask the PDP',
    ]);
  });
});

describeChart('helm test of the agent', () => {
  it('is a pod that the Service does not select, on the image of the authorizer', () => {
    const manifests = agent({}, 'opa', { global: { imageRegistry: 'registry.example.com/' } });
    const test = theOnly(manifests, 'Pod', 'my-pdp-test');
    const selector: unknown = lodash.get(theOnly(manifests, 'Service'), 'spec.selector');
    expect(test.metadata).toMatchObject({ annotations: { 'helm.sh/hook': 'test' } });
    expect(test.metadata.labels).not.toMatchObject(Object(selector));
    expect(podOf(test)?.containers[0]?.image).toMatch(/^registry\.example\.com\/authz-jsonmasking:/u);
  });

  it.each(['opa', 'authzen'])('names a user with %s, which decides about users only', (protocol) => {
    const on = { 'authz-jsonmasking': { enabled: true } };
    for (const name of ['my-pdp-test', 'my-authz-jsonmasking-test']) {
      const env = podOf(theOnly(agent({}, protocol, on), 'Pod', name))?.containers[0]?.env;
      const request = env?.find((one) => one.name === 'REQUEST')?.value;
      expect(request).toContain('"vendor":{"entityId":"jane"}');
    }
  });

  it('asks about the request as it is written, though Kubernetes fills in variables', () => {
    const test = { request: { vendor: { entityId: '$(REQUEST) $$' } }, expected: '$$' };
    const env = podOf(theOnly(agent({}, 'resolution', { test }), 'Pod', 'my-pdp-test'))?.containers[0]?.env;
    expect(env).toContainEqual({ name: 'REQUEST', value: '{"vendor":{"entityId":"$$(REQUEST) $$$$"}}' });
    expect(env).toContainEqual({ name: 'EXPECTED', value: '"$$$$"' });
  });

  it('can be switched off', () => {
    expect(kindsOf(agent({}, 'resolution', { test: { enabled: false } }))).not.toContain('Pod');
  });
});

describeChart('The agent without policies', () => {
  it.each<[json: unknown, root: string | undefined]>([
    [['secret', ['secret']], undefined],
    [{ a: 'secret', b: { c: ['secret', { d: 'secret' }] } }, undefined],
    [{ data: ['secret'] }, 'data'],
    [{ data: { eu: [{ a: 'secret' }], us: ['secret'] } }, 'data.*'],
  ])('has all of %j masked below the root %s', async (json, root) => {
    const map = theOnly(agent({}), 'ConfigMap');
    const policyFile = await fileWith(dataOf(map, 'policies.yaml'));
    const enforcer = await createEnforcer({ policyFile });
    const answer = await enforcer.enforce({
      json: JSON.stringify(json),
      vendor: { entityId: 'jane' },
      parameters: { ...(root && { root }) },
    });
    expect(answer.text()).toContain('***');
    expect(answer.text()).not.toContain('secret');
    await enforcer.close();
  });
});
