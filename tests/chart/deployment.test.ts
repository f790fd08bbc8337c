import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parse } from 'yaml';
import { render, type Rendering, type Values } from './support/helm.ts';
import { dataOf, kindsOf, podOf, policiesIn, theOnly, type Manifest } from './support/manifest.ts';
import { EVERYTHING, MINIMAL, SAMPLE } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

function deployment(values: Values, rendering: Rendering = {}): Manifest {
  return theOnly(render(values, rendering), 'Deployment');
}

/** What the container asks of its configuration; `running.test.ts` starts it. */
const HASH: unknown = expect.stringMatching(/^[0-9a-f]{64}$/u);

function checksum(values: Values): unknown {
  return lodash.get(deployment(values), ['spec', 'template', 'metadata', 'annotations', 'checksum/config']);
}

function image(values: Values): unknown {
  return podOf(deployment({ ...MINIMAL, ...values }))?.containers[0]?.image;
}

const DIGEST = `sha256:${'1'.repeat(64)}`;

/** A probe of the kubelet. */
function probe(path: string, port = 'http'): object {
  return { httpGet: { path, port, scheme: 'HTTP' } };
}

/** The names of the ports of a container or a Service, sorted. */
function portNames(part: unknown): readonly unknown[] {
  return lodash.sortBy(lodash.map(lodash.get(part, 'ports'), 'name'));
}

describeChart('The chart of the service', () => {
  it('needs nothing but a port and a PDP, and renders what a service in production has', () => {
    expect(kindsOf(render(MINIMAL))).toEqual([
      'ConfigMap',
      'Deployment',
      'Pod',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ]);
  });

  it('renders nothing if it is disabled, and needs no configuration for that', () => {
    expect(render({ enabled: false })).toEqual([]);
    expect(render({ ...EVERYTHING, enabled: false })).toEqual([]);
  });

  it('renders every other resource if its value asks for it', () => {
    expect(lodash.difference(kindsOf(render(EVERYTHING)), kindsOf(render(MINIMAL)))).toEqual([
      'HTTPRoute',
      'HorizontalPodAutoscaler',
      'Ingress',
      'NetworkPolicy',
      'PrometheusRule',
      'ServiceMonitor',
    ]);
  });

  it('runs two pods that are spread over nodes, each with requests and limits', () => {
    const spread = { topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' };
    const selector = { matchLabels: { 'app.kubernetes.io/instance': 'my' } };
    expect(deployment(MINIMAL)).toMatchObject({
      spec: {
        replicas: 2,
        template: {
          spec: {
            topologySpreadConstraints: [{ ...spread, labelSelector: selector }, { labelSelector: selector }],
            containers: [{ resources: { requests: { cpu: '100m' }, limits: { memory: '512Mi' } } }],
          },
        },
      },
    });
  });

  it('replaces pods without a gap: one more first, and none counts before it has been ready for a while', () => {
    expect(deployment(MINIMAL)).toMatchObject({
      spec: { minReadySeconds: 5, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
    });
  });

  it('probes the health endpoints on the port of the configuration', () => {
    expect(podOf(deployment(MINIMAL))?.containers[0]).toMatchObject({
      ports: [{ name: 'http', containerPort: 5002 }],
      startupProbe: probe('/health/liveness'),
      livenessProbe: probe('/health/liveness'),
      readinessProbe: probe('/health/readiness'),
    });
  });

  it('leaves out a probe that is null, and takes another handler in place of its own', () => {
    const values = { ...MINIMAL, startupProbe: null, livenessProbe: { tcpSocket: { port: 'http' } } };
    const container = podOf(deployment(values))?.containers[0];
    expect(container).not.toHaveProperty('startupProbe');
    expect(container).toMatchObject({ livenessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 10 } });
    expect(container).not.toHaveProperty('livenessProbe.httpGet');
  });

  it('probes the listener for health checks if there is one, which has no TLS', () => {
    const tls = { certFile: 'a', keyFile: 'b', clientCaFile: 'c', clientCertificates: 'require' };
    const values = lodash.merge({}, MINIMAL, { config: { tls, health: { port: 5003 } } });
    expect(podOf(deployment(values))?.containers[0]).toMatchObject({
      ports: [{ name: 'http' }, { name: 'health', containerPort: 5003 }],
      startupProbe: probe('/health/liveness', 'health'),
      livenessProbe: probe('/health/liveness', 'health'),
      readinessProbe: probe('/health/readiness', 'health'),
    });
  });

  it('has one port for health checks and metrics if one listener serves both, and probes it', () => {
    const values = lodash.merge({}, MINIMAL, { config: { metrics: { port: 9464 }, health: { port: 9464 } } });
    expect(podOf(deployment(values))?.containers[0]).toMatchObject({
      ports: [{ name: 'http' }, { name: 'metrics', containerPort: 9464 }],
      livenessProbe: probe('/health/liveness', 'metrics'),
      readinessProbe: probe('/health/readiness', 'metrics'),
    });
  });

  it('has a port for the reverse proxy if that is opened', () => {
    const proxy = { port: 8443, upstream: 'http://app:80' };
    expect(podOf(deployment(lodash.merge({}, MINIMAL, { config: { proxy } })))?.containers[0]).toMatchObject({
      ports: [{ name: 'http' }, { name: 'proxy', containerPort: 8443 }],
    });
  });

  it('begins to probe when a process usually listens, so that a normal start has no failed probe', () => {
    expect(podOf(deployment(MINIMAL))?.containers[0]).toMatchObject({
      startupProbe: { initialDelaySeconds: 3 },
    });
  });

  it('leaves draining to the process, which knows then that it stops', () => {
    expect(podOf(deployment(MINIMAL))?.containers[0]).not.toHaveProperty('lifecycle');
  });

  it('gives a pod more time to stop than it takes', () => {
    expect(podOf(deployment(MINIMAL))).toMatchObject({ terminationGracePeriodSeconds: 45 });
  });

  it('gives the pods no token, no links to other Services, and an account of their own', () => {
    const manifests = render(MINIMAL);
    expect(theOnly(manifests, 'ServiceAccount')).toMatchObject({ automountServiceAccountToken: false });
    expect(podOf(theOnly(manifests, 'Deployment'))).toMatchObject({
      serviceAccountName: 'my-authz-jsonmasking',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
    });
  });

  it('mounts the configuration and names it on the command line', () => {
    const manifests = render(MINIMAL);
    const pod = podOf(theOnly(manifests, 'Deployment'));
    expect(pod?.containers[0]).toMatchObject({
      args: ['--config', '/etc/authz-jsonmasking/config.yaml', '--config-sha256', HASH],
      volumeMounts: [
        { name: 'authz-jsonmasking-config', mountPath: '/etc/authz-jsonmasking', readOnly: true },
      ],
    });
    expect(pod?.volumes).toEqual([
      {
        name: 'authz-jsonmasking-config',
        projected: {
          sources: [
            {
              configMap: {
                name: theOnly(manifests, 'ConfigMap').metadata.name,
                items: [{ key: 'config.yaml', path: 'config.yaml' }],
              },
            },
          ],
        },
      },
    ]);
  });

  it.each(['a\n', 'a\n\n', 'a\n\n\n'])('has texts in the configuration as they are: %j', (serviceName) => {
    // Last in the configuration: other keys keep their line breaks anyway.
    const tracing = { endpoint: 'http://otel:4318', serviceName };
    const values = { ...MINIMAL, config: { ...lodash.toPlainObject(MINIMAL['config']), tracing } };
    const text = dataOf(theOnly(render(values), 'ConfigMap'), 'config.yaml');
    expect(parse(text)).toMatchObject({ tracing });
  });

  it('has the pods of another configuration keep their policies: their volume names a key that is gone', () => {
    const others = lodash.set(lodash.cloneDeep(SAMPLE), 'policies.policies[0].properties', ['iban']);
    const [own, sameConfig, otherConfig] = [
      SAMPLE,
      others,
      lodash.merge({}, others, { config: { filter: false } }),
    ].map((values) => {
      const manifests = render(values);
      const [volume] = podOf(theOnly(manifests, 'Deployment'))?.volumes ?? [];
      const items: unknown = lodash.get(volume, 'projected.sources[0].configMap.items');
      return { items, keys: Object.keys(Object(theOnly(manifests, 'ConfigMap')['data'])) };
    });
    const [config, policies] = own?.keys ?? [];
    expect(own?.items).toEqual([
      { key: config, path: 'config.yaml' },
      { key: policies, path: 'policies.yaml' },
    ]);
    expect(sameConfig).toEqual(own);
    expect(otherConfig?.keys).toEqual([config, expect.not.stringContaining(policies ?? '')]);
  });

  it('restarts the pods when the configuration changes, and not when the policies do', () => {
    const changed = lodash.set(lodash.cloneDeep(SAMPLE), 'config.maxBody', 5);
    const otherPolicy = lodash.set(lodash.cloneDeep(SAMPLE), 'policies.policies[0].properties', ['iban']);
    expect(checksum(changed)).not.toBe(checksum(SAMPLE));
    expect(checksum(otherPolicy)).toBe(checksum(SAMPLE));
    expect(checksum({ ...SAMPLE, replicaCount: 5, podLabels: { a: 'b' } })).toBe(checksum(SAMPLE));
  });

  it('takes an existing ConfigMap and Secret in place of its own', () => {
    const manifests = render({
      config: { port: 8080 },
      existingConfigMap: 'own',
      existingConfigMapKey: 'service.yaml',
      existingPoliciesSecret: 'secret-policies',
    });
    expect(kindsOf(manifests)).not.toContain('ConfigMap');
    expect(podOf(theOnly(manifests, 'Deployment'))).toMatchObject({
      containers: [{ ports: [{ containerPort: 8080 }] }],
      volumes: [
        {
          projected: {
            sources: [
              { configMap: { name: 'own', items: [{ key: 'service.yaml', path: 'config.yaml' }] } },
              {
                secret: { name: 'secret-policies', items: [{ key: 'policies.yaml', path: 'policies.yaml' }] },
              },
            ],
          },
        },
      ],
    });
  });

  it('opens the ports of the proxy and of Envoy next to an existing ConfigMap, too', () => {
    const proxy = { port: 8080, upstream: 'http://app:3000' };
    const manifests = render({
      config: { port: 5002, proxy, extProc: { port: 5004 } },
      existingConfigMap: 'own',
      networkPolicy: { enabled: true, pdp: { ports: [{ port: 9 }] } },
    });
    expect(portNames(podOf(theOnly(manifests, 'Deployment'))?.containers[0])).toEqual([
      'ext-proc',
      'http',
      'proxy',
    ]);
    expect(portNames(theOnly(manifests, 'Service')['spec'])).toEqual(['grpc', 'http', 'proxy']);
    expect(theOnly(manifests, 'NetworkPolicy')).toMatchObject({
      spec: { egress: [{ ports: [{ port: 9 }] }, { ports: [{ port: 3000 }] }, {}] },
    });
  });

  it('mounts certificates from existing Secrets', () => {
    expect(podOf(deployment(EVERYTHING))).toMatchObject({
      containers: [{ volumeMounts: [{}, { mountPath: '/etc/masker-tls', readOnly: true }, {}] }, {}],
      volumes: [{}, { secret: { secretName: 'masker-tls' } }, {}],
    });
  });

  it('mounts the keys of hashes from an existing Secret, at the path in the configuration', () => {
    const maskKeys = { customers: { file: '/etc/authz-jsonmasking-mask-keys/customers' } };
    const manifests = {
      ...EVERYTHING,
      maskKeysSecret: 'masker-keys',
      config: lodash.merge({ maskKeys }, EVERYTHING['config']),
    };
    const mount = { mountPath: '/etc/authz-jsonmasking-mask-keys', readOnly: true };
    expect(podOf(deployment(manifests))).toMatchObject({
      containers: [{ volumeMounts: [{}, {}, mount, {}] }, {}],
      volumes: [{}, {}, { secret: { secretName: 'masker-keys' } }, {}],
    });
    const config = dataOf(theOnly(render(manifests), 'ConfigMap', 'my-masker'), 'config.yaml');
    expect(parse(config)).toMatchObject({ maskKeys });
  });

  it('fills in templates in the address of the PDP', () => {
    expect(dataOf(theOnly(render(EVERYTHING), 'ConfigMap', 'my-masker'), 'config.yaml')).toContain(
      'pdpHost: https://my-pdp\n',
    );
  });

  it('has the embedded PDP decide if it has policies and no PDP', () => {
    const map = theOnly(render(SAMPLE), 'ConfigMap');
    expect(dataOf(map, 'config.yaml')).toContain('policyFile: policies.yaml\n');
    expect(policiesIn(map)).toContain('Social security numbers are confidential');
  });

  it('names the image by registry, repository and tag, or by digest', () => {
    expect(image({})).toMatch(/^authz-jsonmasking:\d/);
    expect(image({ image: { registry: 'a.example.com', repository: 'b/c', tag: 'd' } })).toBe(
      'a.example.com/b/c:d',
    );
    expect(image({ image: { tag: 'd', digest: DIGEST } })).toBe(`authz-jsonmasking@${DIGEST}`);
    expect(image({ image: { registry: 'a' }, global: { imageRegistry: 'b/' } })).toMatch(
      /^b\/authz-jsonmasking:/,
    );
  });

  it('pulls with the secrets of the umbrella and its own, each once', () => {
    const values = {
      ...MINIMAL,
      global: { imagePullSecrets: ['one'] },
      imagePullSecrets: [{ name: 'one' }, 'two'],
    };
    expect(podOf(deployment(values))).toMatchObject({ imagePullSecrets: [{ name: 'one' }, { name: 'two' }] });
  });

  it('lets helm test verify the service by its authority and show a certificate of its own', () => {
    const test = { caSecret: 'masker-ca', clientCertificateSecret: 'caller' };
    const folder = '/etc/authz-jsonmasking-test';
    expect(podOf(theOnly(render({ ...MINIMAL, test }), 'Pod'))).toMatchObject({
      containers: [
        {
          env: expect.arrayContaining([{ name: 'TLS_FOLDER', value: folder }]),
          volumeMounts: [{ mountPath: `${folder}/ca` }, { mountPath: `${folder}/client` }],
        },
      ],
      volumes: [
        { secret: { secretName: 'masker-ca', items: [{ key: 'ca.crt' }] } },
        { secret: { secretName: 'caller', items: [{ key: 'tls.crt' }, { key: 'tls.key' }] } },
      ],
    });
    expect(podOf(theOnly(render(MINIMAL), 'Pod'))?.volumes).toEqual([]);
  });

  it('keeps the pod of helm test, whose log Helm 3 reads only afterwards', () => {
    expect(theOnly(render(MINIMAL), 'Pod').metadata.annotations).toMatchObject({
      'helm.sh/hook-delete-policy': 'before-hook-creation',
    });
  });

  it('takes annotations and labels everywhere', () => {
    for (const { kind, metadata } of render(EVERYTHING).filter(
      ({ metadata: { labels } }) => labels !== undefined,
    )) {
      expect({ kind, ...metadata }).toMatchObject({
        labels: { team: 'payments' },
        annotations: { 'example.com/owner': 'payments' },
      });
    }
    expect(deployment(EVERYTHING)).toMatchObject({
      metadata: { annotations: { 'example.com/deployment': 'yes' }, labels: { layer: 'edge' } },
      spec: {
        template: { metadata: { annotations: { 'example.com/pod': 'yes' }, labels: { zone: 'inner' } } },
      },
    });
  });

  it('places and extends the pods as the values say', () => {
    const { containers, initContainers, volumes, ...pod } = podOf(deployment(EVERYTHING)) ?? {};
    expect(pod).toMatchObject({
      ...lodash.pick(EVERYTHING, ['affinity', 'nodeSelector', 'tolerations', 'dnsConfig', 'hostAliases']),
      ...lodash.pick(EVERYTHING, ['priorityClassName', 'runtimeClassName', 'schedulerName', 'dnsPolicy']),
    });
    expect(containers?.map(({ name }) => name)).toEqual(['authz-jsonmasking', 'proxy']);
    expect(initContainers?.map(({ name }) => name)).toEqual(['wait']);
    expect(volumes?.map(({ name }) => name)).toContain('scratch');
    expect(containers?.[0]).toMatchObject({
      args: expect.arrayContaining(['--config-sha256', HASH, '--log-file', '/scratch/service.log']),
      env: [{ name: 'TZ', value: 'UTC' }],
      envFrom: [{ secretRef: { name: 'more' } }],
      lifecycle: { preStop: { exec: { command: ['node', '-e', ''] } } },
    });
  });

  it('installs extra objects, written as maps or as texts, with their templates filled in', () => {
    const names = render(EVERYTHING).map(({ metadata: { name } }) => name);
    expect(names).toEqual(expect.arrayContaining(['my-map', 'my-text']));
  });
});
