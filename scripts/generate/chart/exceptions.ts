import lodash from 'lodash';
import { configTypes, type Json } from './config-schema.ts';
import { DNS_NAME, LABEL_NAME } from './label-schemas.ts';
import { policiesSchema } from './policies-schema.ts';
import type { Exceptions } from './values-schema.ts';

const PORT: Json = { type: ['integer', 'null'], minimum: 1, maximum: 65_535 };
/** The numbers of Kubernetes have 32 bits. */
const MOST = 2 ** 31 - 1;
const COUNT: Json = { type: 'integer', minimum: 0, maximum: MOST };
const POSITIVE: Json = { type: 'integer', minimum: 1, maximum: MOST };
const MAYBE_PERCENTAGE: Json = { type: ['integer', 'null'], minimum: 1, maximum: MOST };
/** `null` leaves something out that the chart has by default. */
const MAYBE_MAP = { type: ['object', 'null'] };
const NUMBER_OR_PERCENTAGE: Json = {
  type: ['integer', 'string', 'null'],
  minimum: 0,
  maximum: MOST,
  pattern: String.raw`^\d+%$`,
};
/** Of the pods that there are, at most all. */
const SHARE_OF_PODS: Json = { ...NUMBER_OR_PERCENTAGE, pattern: String.raw`^(100|\d{1,2})%$` };
const TEXTS: Json = { type: 'array', items: { type: 'string' } };
const MAPS: Json = { type: 'array', items: { type: 'object' } };
const SECRETS = { type: 'array', items: { type: ['string', 'object'], minLength: 1, required: ['name'] } };
const MANIFESTS: Json = {
  type: 'array',
  items: { type: ['string', 'object'], required: ['apiVersion', 'kind', 'metadata'] },
};
/** An empty one would be nobody, or everybody. */
const PEERS: Json = { type: 'array', items: { type: 'object', minProperties: 1 } };
const CIDRS: Json = {
  type: 'array',
  items: { type: 'string', pattern: String.raw`^[0-9a-fA-F.:]+/\d{1,3}$` },
};
const HOST_NAMES: Json = {
  type: 'array',
  items: { type: 'string', pattern: `^([*][.])?${DNS_NAME}$` },
};

const POLICIES = policiesSchema();
/** What {@link SERVICE_EXCEPTIONS} and {@link AGENT_EXCEPTIONS} refer to. */
export const DEFINITIONS = POLICIES.definitions;

const HOST_WITH_PORT = String.raw`([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(:\d+)?`;
const IMAGE_PATH = '[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*';
/** The parts of the name of an image, as container runtimes take them: a tag or a scheme in one of them makes it invalid. */
const IMAGE: Exceptions = {
  registry: { type: 'string', pattern: `^(${HOST_WITH_PORT}(/${IMAGE_PATH})?/?)?$` },
  repository: { type: 'string', pattern: `^(${HOST_WITH_PORT}/)?${IMAGE_PATH}$` },
  tag: { type: 'string', pattern: String.raw`^(\w[\w.-]{0,127})?$` },
  digest: { type: 'string', pattern: '^(sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128})?$' },
  pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
};

/** A quantity as Kubernetes writes it, such as `500m` or `512Mi`. */
const QUANTITY = String.raw`^\+?(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$`;
const QUANTITIES: Json = {
  ...MAYBE_MAP,
  additionalProperties: { type: ['string', 'number', 'null'], pattern: QUANTITY, minimum: 0 },
};
const CLAIM: Json = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1 } },
};
/** The requests and limits of a container. */
const RESOURCES: Json = {
  ...MAYBE_MAP,
  additionalProperties: false,
  properties: { requests: QUANTITIES, limits: QUANTITIES, claims: { type: ['array', 'null'], items: CLAIM } },
};

const UPDATE_STRATEGY: Json = {
  ...MAYBE_MAP,
  additionalProperties: false,
  properties: {
    type: { enum: ['RollingUpdate', 'Recreate', null] },
    rollingUpdate: {
      ...MAYBE_MAP,
      additionalProperties: false,
      properties: { maxSurge: NUMBER_OR_PERCENTAGE, maxUnavailable: SHARE_OF_PODS },
    },
  },
};

/** The name of a port, other than those that the sidecar has besides. */
const SIDECAR_PORT_NAME: Json = {
  type: 'string',
  pattern: '^[a-z](-?[a-z0-9])*$',
  maxLength: 15,
  not: { enum: ['authz-health', 'authz-metrics'] },
};
/** Names as Kubernetes takes them; without one, the charts have their own. */
const DNS_LABEL: Json = { type: 'string', pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$' };
const DNS_SUBDOMAIN: Json = {
  type: 'string',
  pattern: `^(${DNS_NAME})?$`,
  maxLength: 253,
};
/** The charts remove a hyphen at its end. */
const LABEL_VALUE: Json = { type: 'string', pattern: '^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?-?)?$' };

/** An empty host matches the requests for all hosts. A host may have templates in it. */
const HOSTS: Json = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['host'],
    properties: {
      host: { type: 'string', minLength: 1, pattern: String.raw`\{\{|^(\*\.)?[a-z0-9][a-z0-9.-]*$` },
      paths: {
        type: ['array', 'null'],
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['path'],
          properties: {
            path: { type: 'string', pattern: '^/' },
            pathType: { enum: ['Exact', 'Prefix', 'ImplementationSpecific', null] },
          },
        },
      },
    },
  },
};

/** A duration as Prometheus writes it. */
const DURATION: Json = {
  type: 'string',
  pattern: String.raw`^(0|(\d+y)?(\d+w)?(\d+d)?(\d+h)?(\d+m)?(\d+s)?(\d+ms)?)$`,
};

/** One of some words; without one, Kubernetes has its own. */
function wordOf(...words: readonly string[]): Json {
  return { enum: ['', ...words] };
}

/** The fields of a probe. Only a readiness probe may need several successes, and ends no pod. */
function probe(mostSuccesses?: number): Json {
  // Of 0, Kubernetes makes its default.
  const count: Json = { ...COUNT, type: ['integer', 'null'] };
  const withPort = { ...MAYBE_MAP, required: ['port'] };
  return {
    ...MAYBE_MAP,
    additionalProperties: false,
    properties: {
      initialDelaySeconds: count,
      periodSeconds: count,
      timeoutSeconds: count,
      successThreshold: { ...count, ...(mostSuccesses !== undefined && { maximum: mostSuccesses }) },
      failureThreshold: count,
      terminationGracePeriodSeconds:
        mostSuccesses === undefined ? { type: 'null' } : { ...count, minimum: 1 },
      exec: { ...MAYBE_MAP, required: ['command'] },
      grpc: withPort,
      httpGet: withPort,
      tcpSocket: withPort,
    },
  };
}

const PROBES: Exceptions = { startupProbe: probe(1), livenessProbe: probe(1), readinessProbe: probe() };

/** The schemas at a place. */
function at(place: string, schemas: Exceptions): Exceptions {
  return lodash.mapKeys(schemas, (_, key) => `${place}.${key}`);
}

const TEXT: Json = { type: 'string', minLength: 1 };
const FOLDER: Json = { type: 'string', pattern: '^/[^:]*$' };
/** Numbers and truth values need quotes: Kubernetes takes texts alone. */
const VARIABLES: Json = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: TEXT, value: { type: ['string', 'null'] } },
  },
};
const MAYBE_TEXT = { type: ['string', 'null'] };
/** Texts need quotes here, too, such as `value: 'true'`. */
const TOLERATIONS: Json = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      key: MAYBE_TEXT,
      operator: MAYBE_TEXT,
      value: MAYBE_TEXT,
      effect: MAYBE_TEXT,
      tolerationSeconds: { type: ['integer', 'null'] },
    },
  },
};
const DNS_CONFIG: Json = {
  type: 'object',
  properties: {
    options: {
      type: ['array', 'null'],
      items: { type: 'object', properties: { name: MAYBE_TEXT, value: MAYBE_TEXT } },
    },
  },
};
function named(...required: readonly string[]): Json {
  const properties = { name: { ...DNS_LABEL, minLength: 1 } };
  return { type: 'array', items: { type: 'object', required: ['name', ...required], properties } };
}
const MOUNTS: Json = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'mountPath'],
    properties: { name: { ...DNS_LABEL, minLength: 1 }, mountPath: FOLDER },
  },
};

/** Values that each chart with a Deployment has, by their names in it. */
const WORKLOAD: Exceptions = {
  ...at('image', IMAGE),
  ...PROBES,
  resources: RESOURCES,
  replicaCount: COUNT,
  minReadySeconds: COUNT,
  revisionHistoryLimit: COUNT,
  progressDeadlineSeconds: POSITIVE,
  terminationGracePeriodSeconds: COUNT,
  topologySpreadConstraints: {
    type: 'array',
    items: {
      type: 'object',
      required: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
      properties: { maxSkew: POSITIVE, whenUnsatisfiable: { enum: ['DoNotSchedule', 'ScheduleAnyway'] } },
    },
  },
  tolerations: TOLERATIONS,
  dnsConfig: DNS_CONFIG,
  hostAliases: { type: 'array', items: { type: 'object', required: ['ip'] } },
  extraVolumes: named(),
  extraVolumeMounts: MOUNTS,
  extraContainers: named('image'),
  extraInitContainers: named('image'),
  priorityClassName: DNS_SUBDOMAIN,
  runtimeClassName: DNS_SUBDOMAIN,
  dnsPolicy: wordOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'),
  'service.externalTrafficPolicy': wordOf('Cluster', 'Local'),
  'service.trafficDistribution': wordOf('PreferClose', 'PreferSameZone', 'PreferSameNode'),
  'service.clusterIP': { type: 'string', pattern: '^(None|[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)?$' },
  'service.loadBalancerClass': { type: 'string', pattern: `^(${LABEL_NAME})?$` },
  'service.loadBalancerSourceRanges': CIDRS,
  'autoscaling.metrics': { type: 'array', items: { type: 'object', required: ['type'] } },
  'ingress.tls': MAPS,
  'httpRoute.parentRefs': { type: 'array', items: { type: 'object', required: ['name'] } },
  'httpRoute.hostnames': HOST_NAMES,
  'httpRoute.matches': MAPS,
  'httpRoute.filters': { type: 'array', items: { type: 'object', required: ['type'] } },
  'networkPolicy.callers': PEERS,
  'networkPolicy.dns': PEERS,
  'networkPolicy.extraIngress': MAPS,
  'networkPolicy.extraEgress': MAPS,
  'serviceMonitor.relabelings': MAPS,
  'serviceMonitor.metricRelabelings': MAPS,
  'service.ipFamilyPolicy': wordOf('SingleStack', 'PreferDualStack', 'RequireDualStack'),
  'ingress.className': DNS_SUBDOMAIN,
  'serviceMonitor.interval': DURATION,
  'serviceMonitor.scrapeTimeout': DURATION,
  'autoscaling.minReplicas': POSITIVE,
  'autoscaling.maxReplicas': POSITIVE,
  'podDisruptionBudget.unhealthyPodEvictionPolicy': wordOf('IfHealthyBudget', 'AlwaysAllow'),
  updateStrategy: UPDATE_STRATEGY,
  'serviceAccount.name': DNS_SUBDOMAIN,
  'service.type': { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
  'service.nodePort': PORT,
  'ingress.hosts': HOSTS,
  'autoscaling.targetCPUUtilizationPercentage': MAYBE_PERCENTAGE,
  'autoscaling.targetMemoryUtilizationPercentage': MAYBE_PERCENTAGE,
  'verticalPodAutoscaler.updateMode': { enum: ['Off', 'Initial', 'Recreate', 'InPlaceOrRecreate'] },
  'verticalPodAutoscaler.controlledResources': { type: 'array', items: { enum: ['cpu', 'memory'] } },
  'verticalPodAutoscaler.minAllowed': QUANTITIES,
  'verticalPodAutoscaler.maxAllowed': QUANTITIES,
  'podDisruptionBudget.maxUnavailable': SHARE_OF_PODS,
  'podDisruptionBudget.minAvailable': SHARE_OF_PODS,
};

/** The values that all charts of a release share, of which others may have more. */
const GLOBAL: Json = {
  ...MAYBE_MAP,
  properties: {
    imageRegistry: { ...IMAGE['registry'], ...MAYBE_TEXT },
    imagePullSecrets: { ...SECRETS, type: ['array', 'null'] },
    policyAgent: {
      ...MAYBE_MAP,
      properties: {
        pdp: {
          ...MAYBE_MAP,
          properties: { host: MAYBE_TEXT, protocol: MAYBE_TEXT, document: MAYBE_TEXT },
        },
      },
    },
  },
};

const CERTIFICATES: Json = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['secretName', 'mountPath'],
    properties: {
      secretName: { ...DNS_SUBDOMAIN, minLength: 1 },
      mountPath: FOLDER,
      items: { type: 'array', items: { type: 'object' } },
    },
  },
};

/** The values of the service's chart whose schema their default does not tell. */
export const SERVICE_EXCEPTIONS: Exceptions = {
  global: GLOBAL,
  config: configTypes(),
  nameOverride: LABEL_VALUE,
  namespaceOverride: DNS_LABEL,
  certificates: CERTIFICATES,
  existingConfigMap: DNS_SUBDOMAIN,
  existingConfigMapKey: { type: 'string', pattern: '^[A-Za-z0-9._-]+$' },
  existingPoliciesConfigMap: DNS_SUBDOMAIN,
  existingPoliciesSecret: DNS_SUBDOMAIN,
  maskKeysSecret: DNS_SUBDOMAIN,
  policies: POLICIES.schema,
  extraEnv: VARIABLES,
  extraArgs: TEXTS,
  imagePullSecrets: SECRETS,
  extraObjects: MANIFESTS,
  extraEnvFrom: MAPS,
  ...WORKLOAD,
  ...at('networkPolicy', {
    monitoring: PEERS,
    'identity.to': PEERS,
    'tracing.to': PEERS,
    'pdp.to': PEERS,
    'pdp.ports': MAPS,
    'upstream.to': PEERS,
    'upstream.ports': MAPS,
  }),
  'prometheusRule.rules': { type: 'array', items: { type: 'object', required: ['expr'] } },
  'test.existingSecret': DNS_SUBDOMAIN,
  'test.caSecret': DNS_SUBDOMAIN,
  'test.clientCertificateSecret': DNS_SUBDOMAIN,
  'service.port': PORT,
  'ingress.port': { enum: ['http', 'proxy'] },
  'httpRoute.port': { enum: ['http', 'proxy'] },
  'test.expected': {},
  'sidecar.name': { ...DNS_LABEL, minLength: 1 },
  'sidecar.proxy.portName': SIDECAR_PORT_NAME,
  'sidecar.resources': RESOURCES,
  ...at('sidecar', PROBES),
  'sidecar.mode': { enum: ['auto', 'native', 'container'] },
};

/** The same for the chart of the example. */
export const EXAMPLE_EXCEPTIONS: Exceptions = {
  port: { ...PORT, type: 'integer' },
  ...lodash.pick(WORKLOAD, [
    'resources',
    'updateStrategy',
    'replicaCount',
    'minReadySeconds',
    'revisionHistoryLimit',
    'progressDeadlineSeconds',
    'priorityClassName',
    'topologySpreadConstraints',
    'tolerations',
    'autoscaling.minReplicas',
    'autoscaling.maxReplicas',
    'podDisruptionBudget.unhealthyPodEvictionPolicy',
    'verticalPodAutoscaler.updateMode',
    'verticalPodAutoscaler.controlledResources',
    'podDisruptionBudget.maxUnavailable',
  ]),
  imagePullSecrets: SECRETS,
};

/** The same for the agent's chart. */
export const AGENT_EXCEPTIONS: Exceptions = {
  global: GLOBAL,
  ...at('pdp', WORKLOAD),
  nameOverride: LABEL_VALUE,
  namespaceOverride: DNS_LABEL,
  ...at('pdp.opa', PROBES),
  ...at('pdp.opa.image', IMAGE),
  ...at('test.image', IMAGE),
  'pdp.networkPolicy.monitoring': PEERS,
  'pdp.opa.existingConfigSecret': DNS_SUBDOMAIN,
  'pdp.env': VARIABLES,
  'pdp.envFrom': MAPS,
  'pdp.args': TEXTS,
  'pdp.opa.args': TEXTS,
  'pdp.policies': POLICIES.schema,
  'pdp.opa.policies': { type: 'object', additionalProperties: { type: 'string' } },
  extraObjects: MANIFESTS,
  'test.resources': RESOURCES,
  'test.expected': {},
  'pdp.existingPoliciesConfigMap': DNS_SUBDOMAIN,
  'pdp.existingPoliciesSecret': DNS_SUBDOMAIN,
  imagePullSecrets: SECRETS,
};
