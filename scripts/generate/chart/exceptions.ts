import lodash from 'lodash';
import { configTypes, type Json } from './config-schema.ts';
import { policiesSchema } from './policies-schema.ts';
import type { Exceptions } from './values-schema.ts';

const MAYBE_NUMBER = { type: ['integer', 'null'] };
/** `null` leaves something out that the chart has by default. */
const MAYBE_MAP = { type: ['object', 'null'] };
const NUMBER_OR_PERCENTAGE: Json = {
  type: ['integer', 'string', 'null'],
  minimum: 0,
  pattern: String.raw`^\d+%$`,
};
/** Of the pods that there are, at most all. */
const SHARE_OF_PODS: Json = { ...NUMBER_OR_PERCENTAGE, pattern: String.raw`^(100|\d{1,2})%$` };
const TEXTS_OR_MAPS = { type: 'array', items: { type: ['string', 'object'] } };

const POLICIES = policiesSchema();
/** What {@link SERVICE_EXCEPTIONS} and {@link AGENT_EXCEPTIONS} refer to. */
export const DEFINITIONS = POLICIES.definitions;
const DIGEST = { type: 'string', pattern: '^(sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128})?$' };

/** A quantity as Kubernetes writes it, such as `500m` or `512Mi`. */
const QUANTITY = String.raw`^\+?(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$`;
const QUANTITIES: Json = {
  ...MAYBE_MAP,
  additionalProperties: { type: ['string', 'number', 'null'], pattern: QUANTITY, minimum: 0 },
};
/** The requests and limits of a container. */
const RESOURCES: Json = {
  ...MAYBE_MAP,
  additionalProperties: false,
  properties: { requests: QUANTITIES, limits: QUANTITIES, claims: { type: ['array', 'null'] } },
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

/** Names as Kubernetes takes them; without one, the charts have their own. */
const DNS_LABEL: Json = { type: 'string', pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$' };
const DNS_SUBDOMAIN: Json = {
  type: 'string',
  pattern: '^([a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*)?$',
};
/** The charts remove a hyphen at its end. */
const LABEL_VALUE: Json = { type: 'string', pattern: '^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?-?)?$' };

/** An empty host matches the requests for all hosts. */
const HOSTS: Json = {
  type: 'array',
  items: {
    type: 'object',
    required: ['host'],
    properties: {
      host: { type: 'string', minLength: 1 },
      paths: { type: ['array', 'null'], items: { type: 'object', required: ['path'] } },
    },
  },
};

/** Values that each chart with a Deployment has, by their names in it. */
const WORKLOAD: Exceptions = {
  resources: RESOURCES,
  updateStrategy: UPDATE_STRATEGY,
  'serviceAccount.name': DNS_SUBDOMAIN,
  'service.type': { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
  'service.nodePort': MAYBE_NUMBER,
  'ingress.hosts': HOSTS,
  'autoscaling.targetCPUUtilizationPercentage': MAYBE_NUMBER,
  'autoscaling.targetMemoryUtilizationPercentage': MAYBE_NUMBER,
  'verticalPodAutoscaler.updateMode': { enum: ['Off', 'Initial', 'Recreate', 'InPlaceOrRecreate'] },
  'verticalPodAutoscaler.controlledResources': { type: 'array', items: { enum: ['cpu', 'memory'] } },
  'verticalPodAutoscaler.minAllowed': QUANTITIES,
  'verticalPodAutoscaler.maxAllowed': QUANTITIES,
  'podDisruptionBudget.maxUnavailable': SHARE_OF_PODS,
  'podDisruptionBudget.minAvailable': SHARE_OF_PODS,
};

const CERTIFICATES: Json = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['secretName', 'mountPath'],
    properties: {
      secretName: { type: 'string', minLength: 1 },
      mountPath: { type: 'string', pattern: '^/' },
      items: { type: 'array', items: { type: 'object' } },
    },
  },
};

/** The values of the service's chart whose schema their default does not tell. */
export const SERVICE_EXCEPTIONS: Exceptions = {
  config: configTypes(),
  nameOverride: LABEL_VALUE,
  namespaceOverride: DNS_LABEL,
  certificates: CERTIFICATES,
  policies: POLICIES.schema,
  'image.digest': DIGEST,
  'image.pullPolicy': { enum: ['Always', 'IfNotPresent', 'Never'] },
  imagePullSecrets: TEXTS_OR_MAPS,
  startupProbe: MAYBE_MAP,
  livenessProbe: MAYBE_MAP,
  readinessProbe: MAYBE_MAP,
  extraObjects: TEXTS_OR_MAPS,
  ...WORKLOAD,
  'service.port': MAYBE_NUMBER,
  'test.expected': {},
  'sidecar.name': { ...DNS_LABEL, minLength: 1 },
  'sidecar.resources': RESOURCES,
  'sidecar.mode': { enum: ['auto', 'native', 'container'] },
  'sidecar.startupProbe': MAYBE_MAP,
  'sidecar.livenessProbe': MAYBE_MAP,
  'sidecar.readinessProbe': MAYBE_MAP,
};

/** The same for the chart of the example. */
export const EXAMPLE_EXCEPTIONS: Exceptions = {
  ...lodash.pick(WORKLOAD, [
    'resources',
    'updateStrategy',
    'verticalPodAutoscaler.updateMode',
    'verticalPodAutoscaler.controlledResources',
    'podDisruptionBudget.maxUnavailable',
  ]),
  imagePullSecrets: TEXTS_OR_MAPS,
};

/** The same for the agent's chart. */
export const AGENT_EXCEPTIONS: Exceptions = {
  ...lodash.mapKeys(WORKLOAD, (_, key) => `pdp.${key}`),
  nameOverride: LABEL_VALUE,
  namespaceOverride: DNS_LABEL,
  'pdp.policies': POLICIES.schema,
  'pdp.image.digest': DIGEST,
  'pdp.opa.image.digest': DIGEST,
  'pdp.opa.image.pullPolicy': { enum: ['Always', 'IfNotPresent', 'Never'] },
  'pdp.opa.startupProbe': MAYBE_MAP,
  'pdp.opa.livenessProbe': MAYBE_MAP,
  'pdp.opa.readinessProbe': MAYBE_MAP,
  'pdp.opa.policies': { type: 'object', additionalProperties: { type: 'string' } },
  extraObjects: TEXTS_OR_MAPS,
  'test.resources': RESOURCES,
  'test.image.digest': DIGEST,
  'test.image.pullPolicy': { enum: ['Always', 'IfNotPresent', 'Never'] },
  'test.expected': {},
  'pdp.image.pullPolicy': { enum: ['Always', 'IfNotPresent', 'Never'] },
  imagePullSecrets: TEXTS_OR_MAPS,
};
