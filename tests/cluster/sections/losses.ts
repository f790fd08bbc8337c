import { Callers } from '../support/callers.ts';
import { aPodOf, evict, killProcess, podsOf, rolledOut } from '../support/cluster.ts';
import { check } from '../support/report.ts';
import { SAMPLE, SAMPLE_REQUEST } from '../support/values.ts';
import { within, type Space } from '../support/space.ts';

const RELEASE = 'masking';
const DEPLOYMENT = 'masking-authz-jsonmasking';
const SELECTOR = 'app.kubernetes.io/instance=masking,app.kubernetes.io/name=authz-jsonmasking';

/** How many callers there are; a killed process may lose what each of them has under way. */
const CALLERS = 64;

function install(space: Space, change: object): Promise<string> {
  return space.install(RELEASE, 'authz-jsonmasking', { ...SAMPLE, config: { ...SAMPLE.config, ...change } });
}

async function uids(space: Space): Promise<ReadonlySet<string>> {
  return new Set((await podsOf(space, SELECTOR)).map(({ uid }) => uid));
}

/** Whether all pods that run after a change are others than before it. */
async function rolls(space: Space, change: () => Promise<unknown>): Promise<boolean> {
  const before = await uids(space);
  await change();
  await rolledOut(space, DEPLOYMENT, SELECTOR);
  return [...(await uids(space))].every((uid) => !before.has(uid));
}

async function scale(space: Space, replicas: number): Promise<void> {
  await space.kubectl('scale', `deployment/${DEPLOYMENT}`, `--replicas=${replicas}`);
  await rolledOut(space, DEPLOYMENT, SELECTOR);
}

/** Drains the node of one pod at a time, as far as the budget allows, and takes it back into service. */
async function drain(space: Space): Promise<void> {
  const node = await space.kubectl(
    'get',
    'pod',
    await aPodOf(space, SELECTOR),
    '-o',
    'jsonpath={.spec.nodeName}',
  );
  try {
    const flags = [
      `--pod-selector=${SELECTOR}`,
      '--ignore-daemonsets',
      '--delete-emptydir-data',
      '--timeout=25s',
    ];
    await space.outcome('kubectl', 'drain', node, ...flags);
    if ((await podsOf(space, SELECTOR)).length === 0) throw new Error('No pod is left');
  } finally {
    await space.kubectl('uncordon', node);
  }
  await rolledOut(space, DEPLOYMENT, SELECTOR);
}

async function disturbances(space: Space, callers: Callers): Promise<void> {
  await check('no request is lost in an upgrade that rolls the pods with a changed configuration', () =>
    callers.loseNothing(async () => {
      if (!(await rolls(space, () => install(space, { maxBody: 5 }))))
        throw new Error('The pods did not roll');
    }),
  );
  await check('no request is lost in a rollback', () =>
    callers.loseNothing(async () => {
      await space.helm('rollback', RELEASE, '--wait');
      await rolledOut(space, DEPLOYMENT, SELECTOR);
    }),
  );
  await check('no request is lost while it scales up and down', () =>
    callers.loseNothing(async () => {
      await scale(space, 3);
      await scale(space, 2);
    }),
  );
  await check('no request is lost when a pod is evicted', () =>
    callers.loseNothing(async () => {
      await evict(space, await aPodOf(space, SELECTOR));
      await rolledOut(space, DEPLOYMENT, SELECTOR);
    }),
  );
  await check('no request is lost when the node is drained, as far as the budget allows', () =>
    callers.loseNothing(() => drain(space)),
  );
  await check('a killed process loses only what it has under way', async () => {
    const { lost } = await callers.during(async () => {
      await killProcess(space, await aPodOf(space, SELECTOR));
      await rolledOut(space, DEPLOYMENT, SELECTOR);
    });
    // Until the cluster notices, new connections are refused: nothing of theirs is under way.
    const begun = Object.entries(lost).filter(([kind]) => !kind.endsWith('ECONNREFUSED'));
    const isCut = begun.every(([kind]) => kind.endsWith('ECONNRESET'));
    const count = begun.reduce((sum, [, one]) => sum + one, 0);
    if (!isCut || count > CALLERS) throw new Error(`Lost ${JSON.stringify(lost)}`);
  });
}

/** A ConfigMap that the chart did not make counts when Helm sees that it changed. */
async function rollsWithExisting(space: Space): Promise<void> {
  const configured = (maxBody: number) =>
    space.apply([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'own' },
        data: { 'config.yaml': JSON.stringify({ ...SAMPLE.config, policyFile: 'policies.yaml', maxBody }) },
      },
    ]);
  const upgrade = () =>
    space.install(RELEASE, 'authz-jsonmasking', {
      ...SAMPLE,
      existingConfigMap: 'own',
      config: { port: 5002 },
    });
  await configured(4);
  await upgrade();
  if (await rolls(space, upgrade)) throw new Error('The pods rolled without a change');
  await configured(5);
  if (!(await rolls(space, upgrade))) throw new Error('The pods did not roll');
}

/** Callers with kept connections and callers that connect for each request lose nothing. */
export async function losses(isQuick: boolean): Promise<void> {
  await within('losses', async (space) => {
    await check('the sample is installed in a namespace that enforces the restricted standard', () =>
      install(space, {}),
    );
    await check('a normal start has no failed probe', async () => {
      const events = await space.kubectl('get', 'events', '--field-selector=reason=Unhealthy', '-o', 'name');
      if (events !== '') throw new Error(await space.kubectl('get', 'events'));
    });
    const url = `http://${DEPLOYMENT}.${space.namespace}.svc:5002/enforce`;
    const callers = await Callers.start(space, 'callers', { url, body: SAMPLE_REQUEST });
    await check('no request is lost in a rollout restart', () =>
      callers.loseNothing(async () => {
        await space.kubectl('rollout', 'restart', `deployment/${DEPLOYMENT}`);
        await rolledOut(space, DEPLOYMENT, SELECTOR);
      }),
    );
    if (isQuick) return;
    await disturbances(space, callers);
    await check('a changed ConfigMap that existed already rolls the pods at the next upgrade', () =>
      rollsWithExisting(space),
    );
  });
}
