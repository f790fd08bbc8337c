import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parse } from 'yaml';
import { problems, refusal, render, type Rendering, type Values } from './support/helm.ts';
import { dataOf, kindsOf, podOf, theOnly, type Manifest } from './support/manifest.ts';
import { valuesIn } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

function microservice(values: Values = {}, rendering: Rendering = {}): readonly Manifest[] {
  return render({ 'authz-jsonmasking': values }, { ...rendering, chart: 'example-microservice' });
}

function names(manifests: readonly Manifest[], list: 'containers' | 'initContainers'): readonly string[] {
  return podOf(theOnly(manifests, 'Deployment'))?.[list].map(({ name }) => name) ?? [];
}

/** The configuration that the sidecar gets. */
function configured(manifests: readonly Manifest[]): unknown {
  return parse(dataOf(theOnly(manifests, 'ConfigMap', 'my-authz-jsonmasking'), 'config.yaml'));
}

function checksum(values: Values): unknown {
  const path = ['spec', 'template', 'metadata', 'annotations', 'checksum/authz-jsonmasking'];
  return lodash.get(theOnly(microservice(values), 'Deployment'), path);
}

/** What the microservice's own chart has besides. */
const OF_THE_MICROSERVICE = ['PodDisruptionBudget', 'Service', 'ServiceAccount'];

const PROXY = {
  sidecar: { proxy: { enabled: true } },
  config: { routes: [{ path: '/health', pass: true }], otherwise: { vendor: { clientId: 'orders' } } },
};

const ELSEWHERE =
  'has no effect on a sidecar, which runs in the pods of another chart: give it to that chart';

/** Values of the Deployment and of what is around it. */
const OF_THE_DEPLOYMENT: Values = {
  affinity: { nodeAffinity: {} },
  deploymentAnnotations: { a: 'b' },
  deploymentLabels: { a: 'b' },
  dnsConfig: { nameservers: ['10.0.0.1'] },
  dnsPolicy: 'Default',
  extraContainers: [{ name: 'other', image: 'other' }],
  extraInitContainers: [{ name: 'other', image: 'other' }],
  extraObjects: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'other' } }],
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['pdp'] }],
  nodeSelector: { a: 'b' },
  podAnnotations: { a: 'b' },
  podLabels: { a: 'b' },
  priorityClassName: 'high',
  runtimeClassName: 'gvisor',
  schedulerName: 'other',
  tolerations: [{ key: 'a', operator: 'Exists' }],
};

/** What the Deployment can have besides, switched on. */
const AROUND_THE_DEPLOYMENT: Values = {
  autoscaling: { enabled: true },
  dashboard: { enabled: true },
  httpRoute: { enabled: true, parentRefs: [{ name: 'gateway' }] },
  ingress: { enabled: true, hosts: [{ host: 'mask.example.com' }] },
  networkPolicy: { enabled: true },
  prometheusRule: { enabled: true },
  serviceMonitor: { enabled: true },
  verticalPodAutoscaler: { enabled: true },
};

/** Values that have a default, so that the templates cannot know whether they were given. */
const WITH_DEFAULTS = [
  'minReadySeconds',
  'podDisruptionBudget',
  'podSecurityContext',
  'progressDeadlineSeconds',
  'replicaCount',
  'revisionHistoryLimit',
  'service',
  'serviceAccount',
  'startupProbe',
  'livenessProbe',
  'readinessProbe',
  'terminationGracePeriodSeconds',
  'test',
  'topologySpreadConstraints',
  'updateStrategy',
];

/** Values that a sidecar has, too. */
const OF_BOTH = [
  'certificates',
  'commonAnnotations',
  'commonLabels',
  'config',
  'enabled',
  'existingConfigMap',
  'existingConfigMapKey',
  'existingPoliciesConfigMap',
  'existingPoliciesSecret',
  'extraArgs',
  'extraEnv',
  'extraEnvFrom',
  'extraVolumeMounts',
  'extraVolumes',
  'fullnameOverride',
  'global',
  'image',
  'imagePullSecrets',
  'lifecycle',
  'maskKeysSecret',
  'nameOverride',
  'namespaceOverride',
  'policies',
  'resources',
  'securityContext',
  'sidecar',
];

/** Limits that are less than is requested. */
const SMALL = { requests: { memory: '128Mi' }, limits: { memory: '64Mi' } };

/** The error for a microservice at a port, with these values of the sidecar. */
function refusalAtPort(port: number, values: Values): string {
  return refusal({ port, 'authz-jsonmasking': values }, { chart: 'example-microservice' });
}

/** The problems with a sidecar that is a proxy. */
function problemsOfProxy(values: Values): readonly string[] {
  const all = { 'authz-jsonmasking': lodash.merge({}, PROXY, values) };
  return problems(all, { chart: 'example-microservice' });
}

function leadsBack(key: string, listener: string): string {
  return `${key} leads back to the service itself (${listener}); give the address of the application`;
}

describeChart('A sidecar', () => {
  it('comes without a Deployment and a Service of its own', () => {
    expect(kindsOf(microservice())).toEqual([
      'ConfigMap',
      'ConfigMap',
      'Deployment',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ]);
  });

  it('is native if the cluster supports that, so that it starts before the microservice and stops after it', () => {
    const manifests = microservice({}, { kubeVersion: '1.29.0' });
    expect(podOf(theOnly(manifests, 'Deployment'))).toMatchObject({
      initContainers: [{ name: 'authz-jsonmasking', restartPolicy: 'Always', startupProbe: {} }],
    });
    expect(names(manifests, 'containers')).toEqual(['orders']);
  });

  it('is a plain container, which stops later than the microservice, if the cluster does not have that', () => {
    const manifests = microservice({}, { kubeVersion: '1.28.9' });
    expect(names(manifests, 'initContainers')).toEqual([]);
    const container = podOf(theOnly(manifests, 'Deployment'))?.containers.find(
      ({ name }) => name !== 'orders',
    );
    expect(container).toMatchObject({ name: 'authz-jsonmasking' });
    expect(configured(manifests)).toMatchObject({ drainDelay: 15_000 });
    expect(container).not.toHaveProperty('restartPolicy');
  });

  it.each([
    ['native', '1.28.9', ['orders']],
    ['container', '1.37.1', ['orders', 'authz-jsonmasking']],
  ])('is %s if its mode says so, whatever the cluster has', (mode, kubeVersion, containers) => {
    expect(names(microservice({ sidecar: { mode } }, { kubeVersion }), 'containers')).toEqual(containers);
  });

  it('listens on loopback only, whatever the configuration says', () => {
    for (const config of [{}, { host: '0.0.0.0' }]) {
      expect(configured(microservice({ config }))).toMatchObject({ port: 5002, host: '127.0.0.1' });
    }
    expect(podOf(theOnly(microservice(), 'Deployment'))?.initContainers[0]).toMatchObject({
      ports: [{ name: 'authz-health', containerPort: 5003 }],
    });
  });

  it('stops at once as a native one, which the microservice does not call any more then, unless configured otherwise', () => {
    expect(configured(microservice())).toMatchObject({ drainDelay: 0 });
    expect(configured(microservice({ config: { drainDelay: 700 } }))).toMatchObject({ drainDelay: 700 });
    const plain = { sidecar: { mode: 'container' }, config: { drainDelay: 0 } };
    expect(configured(microservice(plain))).toMatchObject({ drainDelay: 0 });
  });

  it('gives the microservice its address', () => {
    const env = lodash.get(
      podOf(theOnly(microservice({ config: { port: 7000 } }), 'Deployment')),
      'containers[0].env',
    );
    expect(env).toContainEqual({ name: 'AUTHORIZER_URL', value: 'http://127.0.0.1:7000' });
  });

  it('is probed at a listener for health checks, because the kubelet does not reach loopback', () => {
    const manifests = microservice({ sidecar: { healthPort: 6003 } });
    expect(configured(manifests)).toMatchObject({ health: { port: 6003 } });
    const container = podOf(theOnly(manifests, 'Deployment'))?.initContainers[0];
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      expect(lodash.get(container, probe)).toMatchObject({
        httpGet: { port: 'authz-health', scheme: 'HTTP' },
      });
      expect(lodash.get(container, probe)).not.toHaveProperty('exec');
    }
  });

  it('refuses ports that two listeners would share', () => {
    const values = { 'authz-jsonmasking': { config: { port: 5003 } } };
    expect(problems(values, { chart: 'example-microservice' })).toEqual([
      'config.health.port must differ from config.port: each listener needs its own port',
    ]);
  });

  it('has one port for health checks and metrics if one listener serves both', () => {
    const manifests = microservice({ config: { metrics: { port: 9464 }, health: { port: 9464 } } });
    expect(podOf(theOnly(manifests, 'Deployment'))?.initContainers[0]).toMatchObject({
      ports: [{ name: 'authz-health', containerPort: 9464 }],
      readinessProbe: { httpGet: { port: 'authz-health' } },
    });
  });

  it('comes next to a Deployment of the authorizer if that is enabled, with a ConfigMap of its own', () => {
    const manifests = microservice({ enabled: true, sidecar: { proxy: { enabled: false } } });
    const configOf = (name: string): unknown =>
      parse(dataOf(theOnly(manifests, 'ConfigMap', name), 'config.yaml'));
    expect(configOf('my-authz-jsonmasking')).not.toHaveProperty('host');
    expect(configOf('my-authz-jsonmasking-sidecar')).toMatchObject({ host: '127.0.0.1', drainDelay: 0 });
    const mountedBy = (name: string): unknown =>
      lodash.get(
        podOf(theOnly(manifests, 'Deployment', name))?.volumes.find(
          (one) => one.name === 'authz-jsonmasking-config',
        ),
        'projected.sources[0].configMap.name',
      );
    expect(mountedBy('my-orders')).toBe('my-authz-jsonmasking-sidecar');
    expect(mountedBy('my-authz-jsonmasking')).toBe('my-authz-jsonmasking');
  });

  it('may take longer to stop than the grace period in its values, which is not that of the pod', () => {
    const config = { drainTimeout: 100_000 };
    expect(configured(microservice({ config }))).toMatchObject(config);
  });

  it('takes an existing ConfigMap, of which it knows the ports', () => {
    const values = {
      existingConfigMap: 'own',
      policies: null,
      config: { port: 5002, attrName: null, object: null, log: null },
    };
    const manifests = microservice(values);
    expect(kindsOf(manifests)).toEqual(['ConfigMap', 'Deployment', ...OF_THE_MICROSERVICE]);
    expect(podOf(theOnly(manifests, 'Deployment'))?.initContainers[0]).toMatchObject({
      ports: [{ name: 'authz-health', containerPort: 5003 }],
    });
  });

  it('restarts the pods of the microservice when its configuration changes', () => {
    expect(checksum({ config: { maxBody: 5 } })).not.toBe(checksum({}));
  });

  it.each(['a\n', 'a\n\n'])('has texts in its configuration as they are: %j', (serviceName) => {
    const tracing = { endpoint: 'http://otel:4318', serviceName };
    expect(configured(microservice({ config: { tracing } }))).toMatchObject({ tracing });
  });

  it('takes the same configuration, with the same checks', () => {
    const wrong = { 'authz-jsonmasking': { config: { maxBody: 0 } } };
    expect(problems(wrong, { chart: 'example-microservice' })).toEqual([
      'config.maxBody must be an integer from 1 to 256',
    ]);
    const tls = { 'authz-jsonmasking': { config: { tls: { certFile: 'a', keyFile: 'b' } } } };
    expect(problems(tls, { chart: 'example-microservice' })).toEqual([
      'config.tls cannot be given in a sidecar, whose own port is on loopback only; leave it out',
    ]);
    const proxy = {
      'authz-jsonmasking': { config: { proxy: { port: 5004, upstream: 'http://127.0.0.1:8080' } } },
    };
    expect(problems(proxy, { chart: 'example-microservice' })).toEqual([
      'config.proxy has no effect in a sidecar without sidecar.proxy.enabled, because the Service would lead past it',
    ]);
    const misspelt = { 'authz-jsonmasking': { config: { prot: 1 } } };
    expect(refusal(misspelt, { chart: 'example-microservice' })).toContain("'prot' not allowed");
  });

  it.each([
    ['sidecar.resources', { resources: { limits: { memory: '4Gi' } }, sidecar: { resources: SMALL } }],
    ['resources', { resources: SMALL }],
  ])('names the limits that it needs more than: %s', (key, values) => {
    const all = { 'authz-jsonmasking': values };
    expect(problems(all, { chart: 'example-microservice' })).toEqual([
      `${key}.requests.memory must not be more than ${key}.limits.memory (64Mi)`,
      `config.maxInFlightBody may need 504 MB (120 MB and six times 64 MB for each process), and ${key}.limits.memory has 64 MB; lower it, or raise the limit`,
    ]);
  });

  it('takes certificates, more resources and a port for metrics', () => {
    const manifests = microservice({
      config: { metrics: { port: 9464 } },
      certificates: [{ secretName: 'pdp-ca', mountPath: '/etc/pdp-ca' }],
      sidecar: { name: 'masker', resources: { limits: { memory: '1Gi' } } },
    });
    expect(podOf(theOnly(manifests, 'Deployment'))).toMatchObject({
      initContainers: [
        {
          name: 'masker',
          resources: { limits: { memory: '1Gi' } },
          ports: [{ name: 'authz-health' }, { name: 'authz-metrics', containerPort: 9464 }],
          volumeMounts: [{ mountPath: '/etc/authz-jsonmasking' }, { mountPath: '/etc/pdp-ca' }],
        },
      ],
    });
  });

  it('is the reverse proxy of the microservice if configured: the Service leads to it, and the microservice is on loopback', () => {
    const manifests = microservice(PROXY);
    expect(configured(manifests)).toMatchObject({
      host: '127.0.0.1',
      proxy: { port: 8443, upstream: 'http://127.0.0.1:8080' },
      routes: [{ path: '/health', pass: true }],
    });
    expect(theOnly(manifests, 'Service')).toMatchObject({ spec: { ports: [{ targetPort: 'http' }] } });
    const pod = podOf(theOnly(manifests, 'Deployment'));
    expect(pod?.initContainers[0]).toMatchObject({
      ports: [{ name: 'authz-health' }, { name: 'http', containerPort: 8443 }],
    });
    expect(pod?.containers[0]).toMatchObject({
      ports: [{ name: 'orders', containerPort: 8080 }],
      env: [{ name: 'PORT' }, { name: 'HOST', value: '127.0.0.1' }],
      readinessProbe: { httpGet: { path: '/health', port: 8443 } },
      livenessProbe: { httpGet: { path: '/health', port: 8443 } },
    });
    expect(pod?.containers[0]?.command).toEqual(['node', '/app/orders/plain-orders.mjs']);
    const program = dataOf(theOnly(manifests, 'ConfigMap', 'my-orders'), 'plain-orders.mjs');
    expect(program).not.toMatch(/AUTHORIZER_URL|enforce/u);
  });

  it('has a port of the name that the values give, for the Service to lead to', () => {
    const named = lodash.merge({}, PROXY, { sidecar: { proxy: { portName: 'masked' } } });
    const manifests = microservice(named);
    expect(theOnly(manifests, 'Service')).toMatchObject({ spec: { ports: [{ targetPort: 'masked' }] } });
    expect(podOf(theOnly(manifests, 'Deployment'))?.initContainers[0]).toMatchObject({
      ports: [{ name: 'authz-health' }, { name: 'masked', containerPort: 8443 }],
    });
    expect(theOnly(microservice(), 'Service')).toMatchObject({ spec: { ports: [{ targetPort: 'http' }] } });
  });

  it.each(['authz-health', 'authz-metrics', 'Http', 'a--b', 'a-', '80', 'sixteen-letters-', ''])(
    'cannot have a port of the name %j',
    (portName) => {
      const values = lodash.merge({}, PROXY, { sidecar: { proxy: { portName } } });
      const all = { 'authz-jsonmasking': values };
      expect(refusal(all, { chart: 'example-microservice' })).toContain('/sidecar/proxy/portName');
    },
  );

  it('leaves each revision of the microservice its own program, whatever another one changed', () => {
    const [plain, proxied] = [microservice(), microservice(PROXY)];
    const programs = [plain, proxied].map(
      (manifests) => theOnly(manifests, 'ConfigMap', 'my-orders')['data'],
    );
    expect(programs[0]).toEqual(programs[1]);
    const commands = [plain, proxied].map(
      (manifests) => podOf(theOnly(manifests, 'Deployment'))?.containers[0]?.command[1],
    );
    expect(commands).toEqual(['/app/orders/orders.mjs', '/app/orders/plain-orders.mjs']);
  });

  it('has the proxy on the port of its configuration', () => {
    const config = { ...PROXY.config, proxy: { port: 9000, upstream: 'http://localhost:8080' } };
    const manifests = microservice({ ...PROXY, config });
    expect(configured(manifests)).toMatchObject({ proxy: config.proxy });
    expect(podOf(theOnly(manifests, 'Deployment'))?.initContainers[0]).toMatchObject({
      ports: [{ name: 'authz-health' }, { name: 'http', containerPort: 9000 }],
    });
  });

  it('refuses a proxy that the Service cannot reach, and one that would ask itself', () => {
    expect(problemsOfProxy({ config: { proxy: { host: '127.0.0.1' } } })).toEqual([
      'config.proxy.host must not be a loopback address, which is unreachable from outside the pod; leave it out',
    ]);
    for (const [port, listener] of [
      [8443, 'proxy.port'],
      [5002, 'port'],
      [5003, 'health.port'],
    ] as const) {
      const proxy = { upstream: `http://127.0.0.1:${port}` };
      expect(problemsOfProxy({ sidecar: { proxy } })).toEqual([
        leadsBack('sidecar.proxy.upstream', listener),
      ]);
    }
    expect(problemsOfProxy({ config: { proxy: null } })).toEqual([]);
    expect(problemsOfProxy({ config: { proxy: { upstream: 'http://localhost:8443' } } })).toEqual([
      leadsBack('config.proxy.upstream', 'proxy.port'),
    ]);
  });

  it('knows as a native proxy that the pod stops, and serves until the microservice has stopped', () => {
    const native = microservice(PROXY);
    const preStop = { exec: { command: ['node', '--eval', 'process.kill(1, "SIGTERM")'] } };
    expect(podOf(theOnly(native, 'Deployment'))?.initContainers[0]).toMatchObject({ lifecycle: { preStop } });
    expect(configured(native)).toMatchObject({ drainDelay: 15_000 });
    const plain = microservice(lodash.merge({}, PROXY, { sidecar: { mode: 'container' } }));
    expect(podOf(theOnly(plain, 'Deployment'))?.containers[1]).not.toHaveProperty('lifecycle');
    const own = microservice({ ...PROXY, lifecycle: { preStop: { sleep: { seconds: 1 } } } });
    expect(podOf(theOnly(own, 'Deployment'))?.initContainers[0]).toMatchObject({
      lifecycle: { preStop: { sleep: { seconds: 1 } } },
    });
    expect(podOf(theOnly(microservice(), 'Deployment'))?.initContainers[0]).not.toHaveProperty('lifecycle');
  });

  it('is refused as a proxy that leads to another port than that of the microservice', () => {
    const other = { ...PROXY, sidecar: { proxy: { enabled: true, upstream: 'http://127.0.0.1:3000' } } };
    expect(refusalAtPort(8080, PROXY)).toBe('');
    expect(refusalAtPort(3000, other)).toBe('');
    expect(refusalAtPort(3000, PROXY)).toContain(
      'port must be that of authz-jsonmasking.sidecar.proxy.upstream, to which the proxy passes requests on: http://127.0.0.1:8080',
    );
    expect(
      refusalAtPort(3000, lodash.merge({}, PROXY, { config: { proxy: { upstream: 'http://[::1]:3000' } } })),
    ).toBe('');
  });

  it('is let in by the NetworkPolicy of the microservice as a proxy, and the microservice without it', () => {
    const networkPolicy = { enabled: true };
    const portOf = (values: Values) => {
      const all = { networkPolicy, 'authz-jsonmasking': values };
      return lodash.get(
        theOnly(render(all, { chart: 'example-microservice' }), 'NetworkPolicy'),
        'spec.ingress[0].ports[0].port',
      );
    };
    expect(portOf(PROXY)).toBe('http');
    expect(portOf({})).toBe('http');
  });

  it('runs in pods that are placed and labelled by the values of the microservice', () => {
    const placing = {
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'edge', operator: 'Exists' }],
      priorityClassName: 'high',
    };
    const values = { ...placing, podLabels: { zone: 'inner' }, podAnnotations: { note: 'yes' } };
    const labelled = { commonLabels: { team: 'payments' }, commonAnnotations: { owner: 'me' } };
    const imagePullSecrets = ['one', { name: 'two' }];
    const ofSidecar = { 'authz-jsonmasking': { imagePullSecrets: ['two', 'three'] } };
    const manifests = render(lodash.merge({}, values, labelled, ofSidecar, { imagePullSecrets }), {
      chart: 'example-microservice',
    });
    const deployment = theOnly(manifests, 'Deployment');
    expect(deployment).toMatchObject({
      metadata: { labels: labelled.commonLabels, annotations: labelled.commonAnnotations },
      spec: {
        template: {
          metadata: {
            labels: { zone: 'inner', team: 'payments' },
            annotations: { note: 'yes', owner: 'me', 'checksum/orders': expect.any(String) },
          },
          spec: { ...placing, imagePullSecrets: ['two', 'three', 'one'].map((name) => ({ name })) },
        },
      },
    });
    const constraints: unknown = lodash.get(deployment, 'spec.template.spec.topologySpreadConstraints');
    const selector = {
      matchLabels: { 'app.kubernetes.io/name': 'orders', 'app.kubernetes.io/instance': 'my' },
    };
    expect(lodash.map(lodash.castArray(constraints), 'labelSelector')).toEqual([selector, selector]);
  });

  it('is watched by a VerticalPodAutoscaler together with the microservice', () => {
    const verticalPodAutoscaler = { enabled: true, updateMode: 'Initial' };
    const manifests = render({ verticalPodAutoscaler }, { chart: 'example-microservice' });
    expect(theOnly(manifests, 'VerticalPodAutoscaler')).toMatchObject({
      spec: {
        targetRef: { kind: 'Deployment', name: 'my-orders' },
        updatePolicy: { updateMode: 'Initial' },
        resourcePolicy: {
          containerPolicies: [{ containerName: '*', controlledResources: ['cpu', 'memory'] }],
        },
      },
    });
  });

  it('scales with the microservice', () => {
    const autoscaling = { enabled: true, minReplicas: 3, maxReplicas: 9 };
    const manifests = render({ autoscaling }, { chart: 'example-microservice' });
    expect(theOnly(manifests, 'HorizontalPodAutoscaler')).toMatchObject({
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'my-orders' },
        minReplicas: 3,
        maxReplicas: 9,
        metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 70 } } }],
      },
    });
    expect(theOnly(manifests, 'Deployment')).not.toHaveProperty('spec.replicas');
  });

  it('refuses values that only a Deployment of its own would have', () => {
    const given = { config: { metrics: { port: 9464 } }, ...OF_THE_DEPLOYMENT, ...AROUND_THE_DEPLOYMENT };
    expect(problems({ 'authz-jsonmasking': given }, { chart: 'example-microservice' })).toEqual([
      ...Object.keys(OF_THE_DEPLOYMENT).map((name) => `${name} ${ELSEWHERE}`),
      ...Object.keys(AROUND_THE_DEPLOYMENT).map((name) => `${name}.enabled ${ELSEWHERE}`),
    ]);
  });

  it('takes them next to such a Deployment', () => {
    const manifests = microservice({
      enabled: true,
      podLabels: { a: 'b' },
      networkPolicy: { enabled: true },
    });
    expect(lodash.countBy(kindsOf(manifests))).toMatchObject({ Deployment: 2, NetworkPolicy: 1 });
  });

  it('has an answer to each value of the chart', () => {
    const known = [OF_THE_DEPLOYMENT, AROUND_THE_DEPLOYMENT].flatMap((values) => Object.keys(values));
    expect([...known, ...WITH_DEFAULTS, ...OF_BOTH].toSorted()).toEqual(
      Object.keys(valuesIn(readFileSync('charts/authz-jsonmasking/values.yaml', 'utf8'))).toSorted(),
    );
  });

  it('is left out if it is switched off', () => {
    const manifests = microservice({ sidecar: { enabled: false } });
    expect(kindsOf(manifests)).toEqual(['ConfigMap', 'Deployment', ...OF_THE_MICROSERVICE]);
    expect([...names(manifests, 'initContainers'), ...names(manifests, 'containers')]).toEqual(['orders']);
  });
});
