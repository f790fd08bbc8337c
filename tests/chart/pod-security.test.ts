import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { render } from './support/helm.ts';
import { podOf, type Container, type PodSpec } from './support/manifest.ts';
import { VARIANTS } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

/** Volumes that the restricted Pod Security Standard allows. */
const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const SECCOMP = new Set(['RuntimeDefault', 'Localhost']);
const HOST_FIELDS = ['hostNetwork', 'hostPID', 'hostIPC'];

function breachesOf({ name, securityContext, ...container }: Container, pod: PodSpec): readonly string[] {
  const effective = { ...pod.securityContext, ...securityContext };
  const found = {
    privileged: lodash.get(effective, 'privileged', false) !== false,
    allowPrivilegeEscalation: lodash.get(effective, 'allowPrivilegeEscalation') !== false,
    runAsNonRoot: lodash.get(effective, 'runAsNonRoot') !== true,
    runAsUser: lodash.get(effective, 'runAsUser') === 0,
    seccompProfile: !SECCOMP.has(String(lodash.get(effective, 'seccompProfile.type'))),
    capabilities: !lodash.isEqual(lodash.get(effective, 'capabilities'), { drop: ['ALL'] }),
    hostPort: JSON.stringify(container).includes('"hostPort"'),
  };
  return Object.keys(lodash.pickBy(found)).map((breach) => `${name}: ${breach}`);
}

/** What of a pod the restricted Pod Security Standard forbids. */
function breaches(pod: PodSpec): readonly string[] {
  const volumes = pod.volumes.filter((volume) => lodash.isEmpty(lodash.pick(volume, VOLUMES)));
  return [
    ...HOST_FIELDS.filter((field) => lodash.get(pod, field) === true),
    ...volumes.map(({ name }) => `volume ${name}`),
    ...[...pod.initContainers, ...pod.containers].flatMap((container) => breachesOf(container, pod)),
  ];
}

describeChart('Every pod', () => {
  it.each(VARIANTS)('passes the restricted Pod Security Standard with $name', ({ chart, values }) => {
    const pods = render(values, { chart }).flatMap((manifest) => podOf(manifest) ?? []);
    expect(pods.length).toBeGreaterThan(0);
    expect(pods.flatMap(breaches)).toEqual([]);
  });

  it.each(VARIANTS)(
    'of ours writes to no file system of its own and is a numbered user, with $name',
    ({ chart, values }) => {
      const pods = render(values, { chart }).flatMap((manifest) => podOf(manifest) ?? []);
      for (const { securityContext, containers } of pods) {
        expect(securityContext).toMatchObject({ runAsUser: 65_532 });
        expect(containers[0]).toMatchObject({ securityContext: { readOnlyRootFilesystem: true } });
      }
    },
  );

  it('is distinguished from one that is not restricted', () => {
    const pod = podOf({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        hostNetwork: true,
        containers: [{ name: 'a', image: 'a' }],
        volumes: [{ name: 'v', hostPath: {} }],
      },
    });
    expect(pod === undefined ? [] : breaches(pod)).toEqual([
      'hostNetwork',
      'volume v',
      'a: allowPrivilegeEscalation',
      'a: runAsNonRoot',
      'a: seccompProfile',
      'a: capabilities',
    ]);
  });
});
