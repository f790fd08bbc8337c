import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { problems, render, type Values } from './support/helm.ts';
import { kindsOf, theOnly, type Manifest } from './support/manifest.ts';
import { EVERYTHING, MINIMAL, SAMPLE } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

function one(kind: string, values: Values): Manifest {
  return theOnly(render(values), kind);
}

function ofMinimal(values: Values): Values {
  return lodash.merge({}, MINIMAL, values);
}

/** The paths of the first host of an Ingress, with their types. */
function typesOf(ingress: Manifest): unknown {
  const paths = lodash.get(ingress, 'spec.rules[0].http.paths');
  return lodash.map(Array.isArray(paths) ? paths : [], (written) => lodash.at(written, ['path', 'pathType']));
}

/** Part of a resource; an empty object where it has none. */
function part(manifest: Manifest, path: string): object {
  return lodash.toPlainObject(lodash.get(manifest, path));
}

/** The rule by which pods go out to DNS. */
const dns = {
  ports: [
    { port: 53, protocol: 'UDP' },
    { port: 53, protocol: 'TCP' },
  ],
};

function policy(values: Values): object {
  return part(one('NetworkPolicy', { networkPolicy: { enabled: true }, ...values }), 'spec');
}

function rules(values: Values): unknown {
  return lodash.get(one('PrometheusRule', values), 'spec.groups[0].rules');
}

describeChart('The Service', () => {
  it('leads to the pods of the Deployment, and to no others', () => {
    const manifests = render(MINIMAL);
    const selector = part(theOnly(manifests, 'Service'), 'spec.selector');
    expect(theOnly(manifests, 'Deployment')).toMatchObject({
      spec: { template: { metadata: { labels: selector } } },
    });
    expect(theOnly(manifests, 'Pod').metadata.labels).not.toMatchObject(selector);
  });

  it('listens on the port of the configuration, or on its own', () => {
    expect(one('Service', MINIMAL)).toMatchObject({ spec: { ports: [{ port: 5002, targetPort: 'http' }] } });
    expect(theOnly(render(EVERYTHING), 'Service', 'my-masker')).toMatchObject({
      spec: {
        type: 'LoadBalancer',
        ports: [{ port: 80, targetPort: 'http', nodePort: 30080, appProtocol: 'https' }],
      },
    });
  });

  it('offers the reverse proxy if it is opened, as its scheme says', () => {
    const proxy = { port: 8443, upstream: 'http://app:80' };
    const tls = { certFile: 'a', keyFile: 'b' };
    const port = { name: 'proxy', port: 8443, targetPort: 'proxy' };
    expect(one('Service', lodash.merge({}, MINIMAL, { config: { proxy } }))).toMatchObject({
      spec: { ports: [{ name: 'http' }, { ...port, appProtocol: 'http' }] },
    });
    expect(one('Service', lodash.merge({}, MINIMAL, { config: { proxy, tls } }))).toMatchObject({
      spec: { ports: [{ name: 'http' }, { ...port, appProtocol: 'https' }] },
    });
  });

  it('never offers the metrics, which have a Service of their own that only the cluster reaches', () => {
    for (const type of ['LoadBalancer', 'NodePort', 'ClusterIP']) {
      const values = lodash.set(lodash.cloneDeep<Values>(EVERYTHING), 'service', { type });
      const manifests = render(values);
      expect(lodash.get(theOnly(manifests, 'Service', 'my-masker'), 'spec.ports')).toHaveLength(1);
      expect(theOnly(manifests, 'Service', 'my-masker-metrics')).toMatchObject({
        spec: { type: 'ClusterIP', clusterIP: 'None', ports: [{ port: 9464, targetPort: 'metrics' }] },
      });
    }
    expect(kindsOf(render(MINIMAL)).filter((kind) => kind === 'Service')).toHaveLength(1);
  });
});

describeChart('The HorizontalPodAutoscaler', () => {
  it('takes the number of pods out of the hands of the Deployment', () => {
    expect(one('Deployment', EVERYTHING)).not.toHaveProperty('spec.replicas');
    expect(one('HorizontalPodAutoscaler', EVERYTHING)).toMatchObject({
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'my-masker' }, minReplicas: 2, maxReplicas: 10 },
    });
  });

  it('scales by processor, memory and more', () => {
    const spec = lodash.get(one('HorizontalPodAutoscaler', EVERYTHING), 'spec.metrics');
    expect(spec).toMatchObject([
      { resource: { name: 'cpu' } },
      { resource: { name: 'memory' } },
      { type: 'Pods' },
    ]);
  });
});

describeChart('The PodDisruptionBudget', () => {
  it('lets one pod be evicted at a time, and pods that are not ready always', () => {
    expect(one('PodDisruptionBudget', MINIMAL)).toMatchObject({
      spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    });
  });

  it('has minAvailable in place of maxUnavailable if it is given', () => {
    const { spec } = one('PodDisruptionBudget', EVERYTHING);
    expect(spec).toMatchObject({ minAvailable: '50%' });
    expect(spec).not.toHaveProperty('maxUnavailable');
  });
});

/** The labels of a peer of the first rule, by which the pod of `helm test` is let in. */
function labelsOfTest(manifests: readonly Manifest[], peer = 0) {
  return part(theOnly(manifests, 'NetworkPolicy'), `spec.ingress[0].from[${peer}].podSelector.matchLabels`);
}

describeChart('The NetworkPolicy', () => {
  it('is not there by default', () => {
    expect(kindsOf(render(MINIMAL))).not.toContain('NetworkPolicy');
  });

  it('lets in callers, by default from the same namespace, and the pod of helm test', () => {
    const manifests = render({ ...MINIMAL, networkPolicy: { enabled: true } });
    const peers = lodash.get(theOnly(manifests, 'NetworkPolicy'), 'spec.ingress[0].from');
    expect(peers).toMatchObject([{ podSelector: {} }, { podSelector: {} }]);
    expect(theOnly(manifests, 'Pod').metadata.labels).toMatchObject(labelsOfTest(manifests, 1));
    expect(policy(EVERYTHING)).toMatchObject({
      ingress: [
        { from: [{ namespaceSelector: { matchLabels: { callers: 'yes' } } }, {}], ports: [{ port: 'http' }] },
        {
          from: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
          ports: [{ port: 'metrics' }],
        },
        { from: [{}] },
      ],
    });
  });

  it('lets in the pod of helm test also if all callers are in rules that the values have as a whole', () => {
    const extraIngress = [{ from: [{ ipBlock: { cidr: '10.4.0.0/16' } }] }];
    const networkPolicy = { enabled: true, callers: [], extraIngress };
    const manifests = render({ ...MINIMAL, networkPolicy });
    const test = { podSelector: { matchLabels: labelsOfTest(manifests) } };
    const ingress = [{ from: [test], ports: [{ port: 'http', protocol: 'TCP' }] }, ...extraIngress];
    expect(theOnly(manifests, 'NetworkPolicy')).toMatchObject({ spec: { ingress } });
  });

  it('lets the pods out to the PDP and to DNS alone', () => {
    expect(policy(MINIMAL)).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      egress: [{ ports: [{ port: 8080, protocol: 'TCP' }] }, dns],
    });
    expect(policy(EVERYTHING)).toMatchObject({
      egress: [
        { ports: [{ port: 8443 }], to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] },
        { ports: [{ port: 4318 }], to: [{ ipBlock: { cidr: '10.3.0.0/16' } }] },
        dns,
        {},
      ],
    });
  });

  it.each([
    ['http://otel-collector:4318', 4318],
    ['https://otel.example.com/v1/traces', 443],
    ['HTTP://otel.example.com', 80],
    ['http://[::1]:9000/v1/traces', 9000],
  ])('lets the pods out to the collector of traces at %s', (endpoint, port) => {
    const config = { port: 1, pdpUrl: 'pdp:8080', tracing: { endpoint } };
    expect(policy({ config })).toMatchObject({ egress: [{}, { ports: [{ port, protocol: 'TCP' }] }, dns] });
  });

  it.each([
    [{ issuer: 'https://idp.example.com', audience: 'a' }, 443],
    [{ issuer: 'http://idp:8080/realms/a', audience: 'a' }, 8080],
    [{ issuer: 'bank', audience: 'a', jwksUri: 'HTTPS://idp.example.com/keys' }, 443],
    [{ issuer: 'https://idp', audience: 'a', jwksUri: 'http://idp.sso.svc:8180/keys' }, 8180],
  ])('lets the pods out to the identity provider of %j', (jwt, port) => {
    const config = { port: 1, pdpUrl: 'pdp:8080', identity: { jwt } };
    expect(policy({ config })).toMatchObject({ egress: [{}, { ports: [{ port, protocol: 'TCP' }] }, dns] });
    const to = [{ namespaceSelector: { matchLabels: { sso: 'yes' } } }];
    expect(policy({ config, networkPolicy: { enabled: true, identity: { to } } })).toMatchObject({
      egress: [{}, { ports: [{ port }], to }, dns],
    });
  });

  it.each([
    ['http://app', 80],
    ['https://app.example.com', 443],
    ['http://app:8080', 8080],
    ['http://[::1]:9000', 9000],
  ])('lets the pods out to the application of the reverse proxy at %s', (upstream, port) => {
    const config = { port: 1, pdpUrl: 'pdp:8080', proxy: { port: 8443, upstream } };
    expect(policy({ config })).toMatchObject({ egress: [{}, { ports: [{ port, protocol: 'TCP' }] }, dns] });
    const where = { to: [{ podSelector: { matchLabels: { app: 'a' } } }], ports: [{ port: 3000 }] };
    expect(policy({ config, networkPolicy: { enabled: true, upstream: where } })).toMatchObject({
      egress: [{}, where, dns],
    });
  });

  it('lets callers in to the reverse proxy if it is opened', () => {
    const config = { port: 1, pdpUrl: 'pdp:8080', proxy: { port: 8443, upstream: 'http://app:80' } };
    expect(policy({ config })).toMatchObject({ ingress: [{ ports: [{ port: 'http' }, { port: 'proxy' }] }] });
  });

  it('lets Prometheus in if there is a ServiceMonitor, from everywhere unless the values name the sources', () => {
    const config = { port: 5002, pdpUrl: 'pdp.example.com:8080', metrics: { port: 9464 } };
    const opened = { config, serviceMonitor: { enabled: true } };
    const metrics = [{ port: 'metrics', protocol: 'TCP' }];
    expect(policy(opened)).toMatchObject({
      ingress: [{}, { from: [{ namespaceSelector: {} }], ports: metrics }],
    });
    expect(lodash.get(policy({ config }), 'ingress')).toHaveLength(1);
    const monitoring = [{ podSelector: { matchLabels: { app: 'prometheus' } } }];
    const values = { ...opened, networkPolicy: { enabled: true, monitoring } };
    expect(policy(values)).toMatchObject({ ingress: [{}, { from: monitoring, ports: metrics }] });
  });

  it.each([
    [{ pdpUrl: 'https://pdp.example.com/api/runtime/resolution/v3' }, 443],
    [{ pdpUrl: 'http://pdp.example.com/resolve:now' }, 80],
    [{ pdpUrl: 'https://pdp.example.com:8443/resolve' }, 8443],
    [{ pdpUrl: '[::1]:9000' }, 9000],
    [{ pdpUrl: 'HTTPS://pdp/v1' }, 443],
    [{ pdpUrl: 'HTTP://pdp:7070/v1' }, 7070],
    [{ pdpHost: 'pdp' }, 80],
    [{ pdpHost: 'https://pdp' }, 443],
    [{ pdpHost: 'pdp', pdpPort: 7000, pdpUrl: 'other:1' }, 7000],
  ])('finds the port of the PDP in %j', (pdp, port) => {
    expect(policy({ config: { port: 1, ...pdp } })).toMatchObject({ egress: [{ ports: [{ port }] }, dns] });
  });

  it('lets the pods out to DNS alone if the PDP is embedded', () => {
    expect(policy(lodash.pick(SAMPLE, ['config', 'policies']))).toMatchObject({ egress: [dns] });
  });

  it('needs the port of an application that Helm does not see', () => {
    const values: Values = {
      existingConfigMap: 'mine',
      config: { port: 5002, proxy: { port: 8443 } },
      networkPolicy: { enabled: true, pdp: { ports: [{ port: 80 }] } },
    };
    expect(problems(values)).toEqual([
      'networkPolicy.upstream.ports is required next to existingConfigMap, in which Helm does not see the address of the application',
    ]);
    for (const more of [{ upstream: { ports: [{ port: 81 }] } }, { extraEgress: [{}] }])
      expect(problems(lodash.merge({}, values, { networkPolicy: more }))).toEqual([]);
  });

  it('lets nothing out if it has no destination', () => {
    const values = {
      ...lodash.pick(SAMPLE, ['config', 'policies']),
      networkPolicy: { enabled: true, dns: [] },
    };
    const spec = policy(values);
    expect(spec).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect(spec).not.toHaveProperty('egress');
  });
});

describeChart('The Ingress and the HTTPRoute', () => {
  it('lead to /enforce alone unless they are configured otherwise', () => {
    const backend = { service: { name: 'my-masker', port: { name: 'http' } } };
    expect(one('Ingress', EVERYTHING)).toMatchObject({
      spec: {
        ingressClassName: 'nginx',
        rules: [
          { host: 'masker.example.com', http: { paths: [{ path: '/enforce', pathType: 'Exact', backend }] } },
          { host: 'all.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } },
        ],
      },
    });
    expect(one('HTTPRoute', EVERYTHING)).toMatchObject({
      spec: {
        parentRefs: [{ name: 'gateway', namespace: 'edge' }],
        rules: [
          {
            matches: [{ path: { type: 'Exact', value: '/enforce' } }],
            backendRefs: [{ name: 'my-masker', port: 80 }],
            timeouts: { request: '10s' },
          },
        ],
      },
    });
  });

  it('match all below the path / unless its type is given', () => {
    const hosts = [
      { host: 'a.bank', paths: [{ path: '/' }, { path: '/a' }, { path: '/', pathType: 'Exact' }] },
    ];
    expect(typesOf(one('Ingress', ofMinimal({ ingress: { enabled: true, hosts } })))).toEqual([
      ['/', 'Prefix'],
      ['/a', 'Exact'],
      ['/', 'Exact'],
    ]);
    const pdp = { ingress: { enabled: true, hosts } };
    expect(typesOf(theOnly(render({ pdp }, { chart: 'policy-agent' }), 'Ingress'))).toEqual([
      ['/', 'Prefix'],
      ['/a', 'Exact'],
      ['/', 'Exact'],
    ]);
  });

  it('lead to the reverse proxy, with all its paths, if the values say so', () => {
    const config = { proxy: { port: 8443, upstream: 'http://app:80' } };
    const ingress = { enabled: true, port: 'proxy', hosts: [{ host: 'app.bank' }] };
    const httpRoute = { enabled: true, port: 'proxy', parentRefs: [{ name: 'gateway' }] };
    const values = ofMinimal({ config, ingress, httpRoute });
    const service = { name: 'my-authz-jsonmasking', port: { name: 'proxy' } };
    expect(one('Ingress', values)).toMatchObject({
      spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service } }] } }] },
    });
    expect(one('HTTPRoute', values)).toMatchObject({
      spec: { rules: [{ backendRefs: [{ name: 'my-authz-jsonmasking', port: 8443 }] }] },
    });
    expect(problems(ofMinimal({ ingress, httpRoute }))).toEqual(
      ['ingress', 'httpRoute'].map(
        (name) => `${name}.port must be http: the service has no reverse proxy; give config.proxy`,
      ),
    );
  });
});

describeChart('Monitoring', () => {
  it('has the metrics scraped at their port, through their own Service', () => {
    const manifests = render(EVERYTHING);
    const metrics = theOnly(manifests, 'Service', 'my-masker-metrics');
    const selected = lodash.toPlainObject(
      lodash.get(theOnly(manifests, 'ServiceMonitor'), 'spec.selector.matchLabels'),
    );
    expect(metrics.metadata.labels).toMatchObject(selected);
    expect(theOnly(manifests, 'Service', 'my-masker').metadata.labels).not.toMatchObject(selected);
    expect(theOnly(manifests, 'ServiceMonitor')).toMatchObject({
      metadata: { labels: { release: 'prometheus' } },
      spec: {
        selector: {
          matchLabels: {
            ...lodash.toPlainObject(lodash.get(metrics, 'spec.selector')),
            'app.kubernetes.io/component': 'metrics',
          },
        },
        namespaceSelector: { matchNames: ['bank'] },
        endpoints: [{ port: 'metrics', path: '/metrics', interval: '30s' }],
      },
    });
    expect(theOnly(manifests, 'Deployment')).toMatchObject({
      spec: {
        template: { spec: { containers: [{ ports: [{}, { name: 'metrics', containerPort: 9464 }] }, {}] } },
      },
    });
  });

  it('raises the alerts of the chart and those of the values', () => {
    expect(rules(EVERYTHING)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          alert: 'AuthzJsonmaskingDown',
          expr: expect.stringContaining('job="my-masker-metrics"'),
        }),
        { record: 'masker:up', expr: 'sum(up)' },
      ]),
    );
    const own = lodash.set(lodash.cloneDeep(EVERYTHING), 'prometheusRule.defaultRules', false);
    expect(rules(own)).toEqual([{ record: 'masker:up', expr: 'sum(up)' }]);
  });
});
