import { check, skip } from '../support/report.ts';
import { CONTAINER_SECURITY, IMAGE, POD_SECURITY } from '../support/resources.ts';
import { within, type Space } from '../support/space.ts';
import { SAMPLE } from '../support/values.ts';

const RELEASE = 'closed';
const SERVICE = 'closed-authz-jsonmasking';

function caller(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { caller: name } },
    spec: {
      terminationGracePeriodSeconds: 1,
      securityContext: POD_SECURITY,
      containers: [
        {
          name,
          image: IMAGE,
          command: ['node', '-e', 'setInterval(() => {}, 1e6)'],
          securityContext: CONTAINER_SECURITY,
        },
      ],
    },
  };
}

/** Whether a pod reaches a URL. */
async function reaches(space: Space, pod: string, url: string): Promise<boolean> {
  const script = `fetch('${url}', { signal: AbortSignal.timeout(4000) }).then(() => process.exit(0), () => process.exit(1))`;
  return (await space.outcome('kubectl', 'exec', pod, '--', 'node', '-e', script)).status === 0;
}

async function requireReach(space: Space, pod: string, url: string, expected: boolean): Promise<void> {
  if ((await reaches(space, pod, url)) !== expected)
    throw new Error(`${pod} ${expected ? 'does not reach' : 'reaches'} ${url}`);
}

/** The NetworkPolicy lets in and out what the documentation says, if the cluster enforces policies. */
export async function network(): Promise<void> {
  await within('network', async (space) => {
    const peers = [{ podSelector: { matchLabels: { caller: 'allowed' } } }];
    const config = { ...SAMPLE.config, metrics: { port: 9464 } };
    const networkPolicy = { enabled: true, callers: peers, monitoring: peers };
    await space.apply([caller('allowed'), caller('other')]);
    await space.install(RELEASE, 'authz-jsonmasking', { ...SAMPLE, config, networkPolicy });
    await space.kubectl('wait', '--for=condition=Ready', 'pod/allowed', 'pod/other', '--timeout=60s');
    const health = `http://${SERVICE}.${space.namespace}.svc:5002/health/liveness`;
    const metrics = `http://${SERVICE}-metrics.${space.namespace}.svc:9464/metrics`;
    await check('the NetworkPolicy lets its callers in, and those who read the metrics', async () => {
      await requireReach(space, 'allowed', health, true);
      await requireReach(space, 'allowed', metrics, true);
    });
    if (await reaches(space, 'other', health)) {
      skip('the NetworkPolicy keeps others out', "the cluster's network does not enforce policies");
      return;
    }
    await check('the NetworkPolicy keeps others away from the metrics too', () =>
      requireReach(space, 'other', metrics, false),
    );
  });
}
