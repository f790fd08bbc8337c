import type { ChartName, Values } from './helm.ts';
import { readFileSync } from 'node:fs';
import lodash from 'lodash';
import { parse } from 'yaml';
import * as z from 'zod';

/** A name for values, and the values. */
export interface Variant {
  readonly name: string;
  readonly chart: ChartName;
  readonly values: Values;
}

/** The least that is a valid configuration. */
export const MINIMAL: Values = { config: { port: 5002, pdpUrl: 'pdp.example.com:8080' } };

/** Every part that is there by value only, and most fields. */
export const EVERYTHING: Values = {
  nameOverride: 'masker',
  commonLabels: { team: 'payments' },
  commonAnnotations: { 'example.com/owner': 'payments' },
  config: {
    port: 5002,
    pdpHost: 'https://{{ .Release.Name }}-pdp',
    pdpPort: 8443,
    log: { level: 'debug', format: 'json' },
    maxBody: 8,
    filter: true,
    maskString: '***',
    metrics: { port: 9464 },
    tracing: { endpoint: 'https://otel-collector:4318' },
    tls: { certFile: '/etc/masker-tls/tls.crt', keyFile: '/etc/masker-tls/tls.key' },
  },
  certificates: [{ secretName: 'masker-tls', mountPath: '/etc/masker-tls' }],
  image: { registry: 'registry.example.com', digest: `sha256:${'0'.repeat(64)}` },
  imagePullSecrets: ['pull-one', { name: 'pull-two' }],
  lifecycle: { preStop: { exec: { command: ['node', '-e', ''] } } },
  deploymentAnnotations: { 'example.com/deployment': 'yes' },
  deploymentLabels: { layer: 'edge' },
  podAnnotations: { 'example.com/pod': 'yes' },
  podLabels: { zone: 'inner' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'Exists' }] }],
      },
    },
  },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'edge', operator: 'Exists' }],
  priorityClassName: 'high',
  runtimeClassName: 'gvisor',
  schedulerName: 'bin-packer',
  dnsPolicy: 'ClusterFirst',
  dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['pdp.internal'] }],
  extraArgs: ['--log-file', '/scratch/service.log'],
  extraEnv: [{ name: 'TZ', value: 'UTC' }],
  extraEnvFrom: [{ secretRef: { name: 'more' } }],
  extraVolumes: [{ name: 'scratch', emptyDir: {} }],
  extraVolumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
  extraContainers: [
    {
      name: 'proxy',
      image: 'proxy:1',
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    },
  ],
  extraInitContainers: [
    {
      name: 'wait',
      image: 'wait:1',
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    },
  ],
  extraObjects: [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-map' } },
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-text\n',
  ],
  serviceAccount: { annotations: { 'example.com/role': 'none' }, labels: { account: 'yes' } },
  service: {
    type: 'LoadBalancer',
    port: 80,
    nodePort: 30080,
    loadBalancerClass: 'internal',
    loadBalancerSourceRanges: ['10.0.0.0/8'],
    externalTrafficPolicy: 'Local',
    ipFamilyPolicy: 'PreferDualStack',
    annotations: { 'example.com/lb': 'yes' },
    labels: { service: 'yes' },
  },
  autoscaling: {
    enabled: true,
    targetMemoryUtilizationPercentage: 80,
    metrics: [
      {
        type: 'Pods',
        pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '100' } },
      },
    ],
  },
  podDisruptionBudget: { minAvailable: '50%' },
  networkPolicy: {
    enabled: true,
    monitoring: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
    callers: [{ namespaceSelector: { matchLabels: { callers: 'yes' } } }],
    pdp: { to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] },
    tracing: { to: [{ ipBlock: { cidr: '10.3.0.0/16' } }] },
    extraIngress: [{ from: [{ podSelector: { matchLabels: { gateway: 'yes' } } }] }],
    extraEgress: [{ to: [{ ipBlock: { cidr: '10.2.0.0/16' } }] }],
  },
  ingress: {
    enabled: true,
    className: 'nginx',
    hosts: [
      { host: 'masker.example.com' },
      { host: 'all.example.com', paths: [{ path: '/', pathType: 'Prefix' }] },
    ],
    tls: [{ secretName: 'masker-example-com', hosts: ['masker.example.com'] }],
  },
  httpRoute: {
    enabled: true,
    parentRefs: [{ name: 'gateway', namespace: 'edge' }],
    hostnames: ['masker.example.com'],
    filters: [{ type: 'RequestHeaderModifier', requestHeaderModifier: { remove: ['X-Internal'] } }],
    timeouts: { request: '10s' },
  },
  serviceMonitor: {
    enabled: true,
    labels: { release: 'prometheus' },
    relabelings: [{ sourceLabels: ['__meta_kubernetes_pod_node_name'], targetLabel: 'node' }],
    metricRelabelings: [{ sourceLabels: ['__name__'], regex: 'nodejs_.*', action: 'drop' }],
  },
  prometheusRule: {
    enabled: true,
    labels: { release: 'prometheus' },
    rules: [{ record: 'masker:up', expr: 'sum(up)' }],
  },
  test: {
    headers: { Authorization: 'Bearer token' },
    existingSecret: 'test-request',
    caSecret: 'masker-ca',
    clientCertificateSecret: 'masker-client',
  },
};

/** How the pods of a Deployment run, by the values that the charts share. */
const WORKLOAD: Values = {
  ...lodash.pick(EVERYTHING, [
    'deploymentAnnotations',
    'deploymentLabels',
    'podAnnotations',
    'podLabels',
    'affinity',
    'nodeSelector',
    'tolerations',
    'priorityClassName',
    'runtimeClassName',
    'schedulerName',
    'dnsPolicy',
    'dnsConfig',
    'hostAliases',
    'extraVolumes',
    'extraVolumeMounts',
    'extraContainers',
    'extraInitContainers',
    'serviceAccount',
    'autoscaling',
    'podDisruptionBudget',
  ]),
  env: EVERYTHING['extraEnv'],
  envFrom: EVERYTHING['extraEnvFrom'],
  service: lodash.omit(Object(EVERYTHING['service']), 'port'),
};

const values = z.record(z.string(), z.unknown());

/** The values in a YAML text. */
export function valuesIn(text: string): Values {
  return values.parse(parse(text));
}

/** The values file that the README installs. */
export const SAMPLE: Values = valuesIn(readFileSync('values.sample.yaml', 'utf8'));

/** Values that are as different as those of operators. */
export const VARIANTS: readonly Variant[] = [
  { name: 'the least', chart: 'authz-jsonmasking', values: MINIMAL },
  { name: 'the sample', chart: 'authz-jsonmasking', values: SAMPLE },
  { name: 'everything', chart: 'authz-jsonmasking', values: EVERYTHING },
  {
    name: 'what exists already',
    chart: 'authz-jsonmasking',
    values: {
      config: { port: 8080 },
      existingConfigMap: 'own-config',
      existingConfigMapKey: 'service.yaml',
      existingPoliciesSecret: 'own-policies',
      serviceAccount: { create: false, name: 'own-account' },
      podDisruptionBudget: { enabled: false },
    },
  },
  {
    name: 'policies from a ConfigMap',
    chart: 'authz-jsonmasking',
    values: {
      config: { port: 5002 },
      existingPoliciesConfigMap: 'own-policies',
      networkPolicy: { enabled: true },
    },
  },
  {
    name: 'a reverse proxy, and one listener for health and metrics',
    chart: 'authz-jsonmasking',
    values: {
      config: {
        port: 5002,
        pdpUrl: 'HTTPS://pdp.example.com',
        proxy: { port: 8443, upstream: 'http://orders:8080' },
        metrics: { port: 9464 },
        health: { port: 9464 },
        identity: { required: true, jwt: { issuer: 'https://idp.example.com', audience: 'orders' } },
      },
      networkPolicy: { enabled: true },
      serviceMonitor: { enabled: true },
    },
  },
  {
    name: 'nothing that can be left out',
    chart: 'authz-jsonmasking',
    values: {
      ...MINIMAL,
      startupProbe: null,
      livenessProbe: null,
      readinessProbe: null,
      resources: null,
      topologySpreadConstraints: [],
      serviceAccount: { create: false },
      podDisruptionBudget: { enabled: false },
    },
  },
  { name: 'the agent', chart: 'policy-agent', values: {} },
  {
    name: 'the agent with the authorizer',
    chart: 'policy-agent',
    values: { 'authz-jsonmasking': { enabled: true } },
  },
  {
    name: 'the agent with another PDP runtime',
    chart: 'policy-agent',
    values: {
      pdp: {
        image: { repository: 'example.com/pdp', tag: '7' },
        command: ['/pdp'],
        args: ['--listen', ':{{ .Values.global.policyAgent.pdp.port }}'],
        existingPoliciesSecret: 'policies',
        env: [{ name: 'MODE', value: 'runtime' }],
      },
    },
  },
  {
    name: 'the agent with what exists already',
    chart: 'policy-agent',
    values: {
      pdp: {
        existingPoliciesConfigMap: 'own-policies',
        serviceAccount: { create: false, name: 'own-account' },
        podDisruptionBudget: { enabled: false },
        networkPolicy: { enabled: true, dns: [] },
      },
    },
  },
  {
    name: 'the agent with everything',
    chart: 'policy-agent',
    values: {
      global: { policyAgent: { pdp: { protocol: 'opa' } } },
      commonLabels: { team: 'payments' },
      pdp: {
        ...WORKLOAD,
        opa: { policies: { 'masking.rego': 'package masking\n' } },
        networkPolicy: {
          enabled: true,
          monitoring: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
          annotations: { 'example.com/policy': 'yes' },
        },
        httpRoute: EVERYTHING['httpRoute'],
        verticalPodAutoscaler: { enabled: true, maxAllowed: { cpu: '2' } },
        ingress: {
          enabled: true,
          className: 'nginx',
          hosts: [{ host: 'pdp.example.com' }],
          tls: [{ secretName: 'pdp-example-com', hosts: ['pdp.example.com'] }],
        },
        serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
      },
      test: { request: { json: { id: 'c1' } }, expected: { id: 'c1' } },
    },
  },
  { name: 'a microservice with a sidecar', chart: 'example-microservice', values: {} },
  {
    name: 'a proxied microservice with everything',
    chart: 'example-microservice',
    values: {
      commonLabels: { team: 'payments' },
      commonAnnotations: { 'example.com/owner': 'payments' },
      imagePullSecrets: ['pull-one', { name: 'pull-two' }],
      ...lodash.pick(WORKLOAD, [
        'podAnnotations',
        'podLabels',
        'affinity',
        'nodeSelector',
        'tolerations',
        'priorityClassName',
      ]),
      autoscaling: { enabled: true },
      verticalPodAutoscaler: { enabled: true },
      networkPolicy: { enabled: true },
      'authz-jsonmasking': {
        sidecar: { proxy: { enabled: true } },
        config: { routes: [{ path: '/health', pass: true }], metrics: { port: 9464 } },
      },
    },
  },
  {
    name: 'a microservice with a sidecar, next to the authorizer as a service',
    chart: 'example-microservice',
    values: { 'authz-jsonmasking': { enabled: true } },
  },
  {
    name: 'a microservice with a plain container beside it',
    chart: 'example-microservice',
    values: { 'authz-jsonmasking': { sidecar: { mode: 'container' } } },
  },
];
