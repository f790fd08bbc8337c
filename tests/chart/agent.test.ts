import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { problems, render, type Values } from './support/helm.ts';
import { kindsOf, podOf, theOnly, type Manifest } from './support/manifest.ts';
import { describeChart } from './support/tools.ts';

const OPA: Values = { policies: { 'masking.rego': 'package masking\n' } };

function agent(pdp: Values, protocol = 'resolution', values: Values = {}): readonly Manifest[] {
  return render({ ...valuesOf(pdp, protocol), ...values }, { chart: 'policy-agent' });
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
    expect(theOnly(manifests, 'NetworkPolicy')).toMatchObject({
      spec: { ingress: [{ from: [...callers, test, prometheus], ports: [{ port: 'http' }] }] },
    });
  });
});

describeChart('helm test of the agent', () => {
  it('is a pod that the Service does not select, on the image of the authorizer', () => {
    const manifests = agent({}, 'opa', { global: { imageRegistry: 'registry.example.com' } });
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

  it('can be switched off', () => {
    expect(kindsOf(agent({}, 'resolution', { test: { enabled: false } }))).not.toContain('Pod');
  });
});
