import lodash from 'lodash';
import * as z from 'zod';
import { podOf, type Container, type Manifest } from './manifest.ts';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS_NAME = new RegExp(String.raw`^${LABEL}(\.${LABEL})*$`, 'u');
const NAME = /^(?:[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?$/u;
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?)?$/u;

interface Place {
  readonly path: string;
  readonly value: unknown;
}

function placesIn(value: unknown, path = ''): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return [
    { path, value },
    ...Object.entries(value).flatMap(([name, part]) => placesIn(part, `${path}/${name}`)),
  ];
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length < 254 && DNS_NAME.test(value);
}

function isPort(value: unknown): boolean {
  return typeof value === 'string' || (Number(value) >= 1 && Number(value) <= 65_535);
}

/** What the schemas of Kubernetes do not say of a field, by its path. */
const RULES: readonly (readonly [path: RegExp, isRight: (value: unknown) => boolean])[] = [
  [/.*/u, (value) => typeof value !== 'number' || (value >= 0 && value < 2 ** 31)],
  [/\/metadata\/name(?:space)?$|[sS]ecretName$|ClassName$|serviceAccountName$/u, isName],
  [/\/imagePullSecrets\/\d+\/name$/u, isName],
  [/(?:\/labels|\/matchLabels|\/selector|\/nodeSelector)\/[^/]*(?:\/[^/]*)?$/u, isLabelValue],
  [/(?:\/labels|\/nodeSelector)$/u, areNames],
  // The server looks at the names of annotations in lower case.
  [/\/annotations$/u, (value) => areNames(lodash.mapKeys(Object(value), (_, name) => name.toLowerCase()))],
  [/\/(?:port|targetPort|containerPort|nodePort)$/u, (value) => typeof value === 'object' || isPort(value)],
  [/\/(?:from|to)\/\d+$/u, (value) => !lodash.isEmpty(value)],
  [/\/(?:max|min)Replicas$/u, (value) => Number(value) >= 1],
  [/\/averageUtilization$/u, (value) => Number(value) >= 1],
  [/\/readinessProbe$/u, (value) => !lodash.has(value, 'terminationGracePeriodSeconds')],
  [/\/(?:liveness|startup)Probe\/successThreshold$/u, (value) => value === null || Number(value) <= 1],
  [/Probe$/u, (value) => lodash.some(lodash.pick(value, ['exec', 'grpc', 'httpGet', 'tcpSocket']))],
];

function isLabelValue(value: unknown): boolean {
  return typeof value !== 'string' || LABEL_VALUE.test(value);
}

function areNames(value: unknown): boolean {
  return Object.keys(Object(value)).every((name) => NAME.test(name));
}

const ports = z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]);

/** Ports that containers of a pod have twice, and probes of a port that their container does not have. */
function unfitPortsIn(containers: readonly Container[]): readonly string[] {
  const all = containers.flatMap((one) => ports.parse(one['ports']));
  const twice = ['name', 'containerPort'].filter((field) => lodash.uniqBy(all, field).length < all.length);
  const astray = containers.flatMap((one) => {
    const named = new Set<unknown>(ports.parse(one['ports']).map(({ name }) => name));
    const probed = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe): unknown =>
      lodash.get(one, [probe, 'httpGet', 'port']),
    );
    return probed.filter((port) => typeof port === 'string' && !named.has(port));
  });
  return [
    ...twice.map((field) => `two ports have one ${field}`),
    ...astray.map((port) => `no port is called ${String(port)}`),
  ];
}

/** What does not fit in a pod. */
function unfitIn(manifest: Manifest): readonly string[] {
  const pod = podOf(manifest);
  if (pod === undefined) return [];
  const volumes = new Set(pod.volumes.map(({ name }) => name));
  const containers = [...pod.initContainers, ...pod.containers];
  const names = containers.map(({ name }) => name);
  const mounts = containers.flatMap(({ volumeMounts }) => volumeMounts);
  return [
    ...unfitPortsIn(containers),
    ...mounts.filter(({ name }) => !volumes.has(name)).map(({ name }) => `no volume is called ${name}`),
    ...(lodash.uniq(names).length === names.length ? [] : ['two containers have one name']),
    ...(volumes.size === pod.volumes.length ? [] : ['two volumes have one name']),
  ];
}

/** The rules of the API server that a manifest breaks, other than those of its schema. */
export function rulesBrokenBy(manifest: Manifest): readonly string[] {
  const broken = placesIn(manifest).flatMap(({ path, value }) =>
    RULES.filter(([field, isRight]) => field.test(path) && !isRight(value)).map(
      () => `${manifest.kind}${path}`,
    ),
  );
  return [...broken, ...unfitIn(manifest)];
}
