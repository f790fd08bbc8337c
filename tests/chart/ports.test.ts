import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import * as z from 'zod';
import { render } from './support/helm.ts';
import { podOf, type Container, type Manifest } from './support/manifest.ts';
import { VARIANTS } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'];
const HANDLERS = ['httpGet', 'tcpSocket'];

const ports = z.array(z.object({ name: z.string() })).default([]);

function portsOf(container: Container): readonly string[] {
  return ports.parse(container['ports']).map(({ name }) => name);
}

function containersOf(manifest: Manifest): readonly Container[] {
  const pod = podOf(manifest);
  return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
}

/** The ports that probes name and their container does not have: the kubelet looks for them nowhere else. */
function strangePorts(container: Container): readonly unknown[] {
  const paths = PROBES.flatMap((probe) => HANDLERS.map((handler) => [probe, handler, 'port']));
  const named = paths
    .map((path): unknown => lodash.get(container, path))
    .filter((port) => typeof port === 'string');
  return lodash.difference(named, portsOf(container));
}

/** The ports that a Service or a NetworkPolicy names. */
function namedPorts(manifest: Manifest): readonly unknown[] {
  const rules: unknown = lodash.get(manifest, 'spec.ingress', []);
  const ofPolicy = lodash.flatMap(lodash.castArray(rules), (rule): unknown => lodash.get(rule, 'ports', []));
  const found = {
    Service: lodash.map(lodash.castArray(lodash.get(manifest, 'spec.ports', [])), 'targetPort'),
    NetworkPolicy: lodash.map(lodash.flatten(ofPolicy), 'port'),
  }[manifest.kind];
  return (found ?? []).filter((port) => typeof port === 'string');
}

describeChart('Ports by name', () => {
  it.each(VARIANTS)('of probes are those of the same container with $name', ({ chart, values }) => {
    for (const container of render(values, { chart }).flatMap(containersOf)) {
      expect([container.name, strangePorts(container)]).toEqual([container.name, []]);
    }
  });

  it.each(VARIANTS)(
    'of Services and NetworkPolicies are those of the pods with $name',
    ({ chart, values }) => {
      const manifests = render(values, { chart });
      const known = manifests.flatMap(containersOf).flatMap(portsOf);
      expect(lodash.difference(manifests.flatMap(namedPorts), known)).toEqual([]);
    },
  );
});
