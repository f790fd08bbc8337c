import { Callers } from '../support/callers.ts';
import { podsOf } from '../support/cluster.ts';
import { eventually } from '../support/command.ts';
import { check, skip } from '../support/report.ts';
import { within, type Space } from '../support/space.ts';
import { SAMPLE, SAMPLE_REQUEST } from '../support/values.ts';

const RELEASE = 'scaled';
const SERVICE = 'scaled-authz-jsonmasking';
const SELECTOR = `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/name=authz-jsonmasking`;

const VALUES = {
  ...SAMPLE,
  autoscaling: {
    enabled: true,
    minReplicas: 1,
    maxReplicas: 2,
    targetCPUUtilizationPercentage: 50,
    behavior: { scaleDown: { stabilizationWindowSeconds: 5 } },
  },
};

async function measures(space: Space): Promise<boolean> {
  return (await space.outcome('kubectl', 'get', '--raw', '/apis/metrics.k8s.io/v1beta1/nodes')).status === 0;
}

async function hasPods(space: Space, count: number): Promise<void> {
  await eventually(async () => {
    const { length } = await podsOf(space, SELECTOR);
    if (length !== count)
      throw new Error(`${length} pods. ${await space.kubectl('get', 'hpa', '--no-headers')}`);
  }, 180);
}

/** The HorizontalPodAutoscaler adds pods while there is much to do, and removes them, if the cluster measures what pods use. */
export async function autoscaling(): Promise<void> {
  await within('autoscaling', async (space) => {
    if (!(await measures(space))) {
      skip('the HorizontalPodAutoscaler adds and removes pods', 'the cluster has no metrics-server');
      return;
    }
    const isThere = await check('the service is installed with a HorizontalPodAutoscaler', () =>
      space.install(RELEASE, 'authz-jsonmasking', VALUES),
    );
    if (!isThere) return;
    const url = `http://${SERVICE}.${space.namespace}.svc:5002/enforce`;
    const callers = await Callers.start(space, 'callers', { url, body: SAMPLE_REQUEST, pause: 100 });
    await check('the HorizontalPodAutoscaler adds a pod under load, and no request is lost', () =>
      callers.loseNothing(() => hasPods(space, 2)),
    );
    await callers.stop();
    await check('the HorizontalPodAutoscaler removes the pod after the load', () => hasPods(space, 1));
  });
}
