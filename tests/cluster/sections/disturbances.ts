import { CALLERS, Callers } from '../support/callers.ts';
import { aPodOf, evict, killProcess, podsOf, rolledOut } from '../support/cluster.ts';
import { check } from '../support/report.ts';
import type { Space } from '../support/space.ts';
import type { Subject } from '../support/subject.ts';

/** Installs the release of a subject, or upgrades it. */
export function installSubject(
  space: Space,
  { release, chart, values }: Subject,
  change = 4,
): Promise<string> {
  return space.install(release, chart, values(change));
}

async function uids(space: Space, { selector }: Subject): Promise<ReadonlySet<string>> {
  return new Set((await podsOf(space, selector)).map(({ uid }) => uid));
}

/** Whether all pods that run after a change are others than before it. */
export async function rolls(
  space: Space,
  subject: Subject,
  change: () => Promise<unknown>,
): Promise<boolean> {
  const before = await uids(space, subject);
  await change();
  await rolledOut(space, subject);
  return [...(await uids(space, subject))].every((uid) => !before.has(uid));
}

/** Replaces all pods of a Deployment. */
export async function restart(
  space: Space,
  subject: Pick<Subject, 'deployment' | 'selector'>,
): Promise<void> {
  await space.kubectl('rollout', 'restart', `deployment/${subject.deployment}`);
  await rolledOut(space, subject);
}

async function upgrade(space: Space, subject: Subject): Promise<void> {
  if (!(await rolls(space, subject, () => installSubject(space, subject, 5))))
    throw new Error('The pods did not roll');
}

async function rollBack(space: Space, subject: Subject): Promise<void> {
  await space.helm('rollback', subject.release, '--wait');
  await rolledOut(space, subject);
}

async function scale(space: Space, subject: Subject, replicas: number): Promise<void> {
  await space.kubectl('scale', `deployment/${subject.deployment}`, `--replicas=${replicas}`);
  await rolledOut(space, subject);
}

async function scaleUpAndDown(space: Space, subject: Subject): Promise<void> {
  await scale(space, subject, 3);
  await scale(space, subject, 2);
}

async function evictOne(space: Space, subject: Subject): Promise<void> {
  await evict(space, await aPodOf(space, subject.selector));
  await rolledOut(space, subject);
}

/** Drains the node of one pod, as far as the budget allows, and takes it back into service. */
async function drain(space: Space, subject: Subject): Promise<void> {
  const { selector } = subject;
  const pod = await aPodOf(space, selector);
  const node = await space.kubectl('get', 'pod', pod, '-o', 'jsonpath={.spec.nodeName}');
  try {
    const flags = ['--ignore-daemonsets', '--delete-emptydir-data', '--timeout=25s'];
    await space.outcome('kubectl', 'drain', node, `--pod-selector=${selector}`, ...flags);
    if ((await podsOf(space, selector)).length === 0) throw new Error('No pod is left');
  } finally {
    await space.kubectl('uncordon', node);
  }
  await rolledOut(space, subject);
}

async function kill(space: Space, callers: Callers, subject: Subject): Promise<void> {
  const { container, unbegun, cut } = subject.killed;
  const { lost } = await callers.during(async () => {
    await killProcess(space, await aPodOf(space, subject.selector), container);
    await rolledOut(space, subject);
  });
  const begun = Object.entries(lost).filter(([kind]) => !unbegun.test(kind));
  const isCut = begun.every(([kind]) => cut.test(kind));
  const count = begun.reduce((sum, [, one]) => sum + one, 0);
  if (!isCut || count > CALLERS.kept + CALLERS.fresh) throw new Error(`Lost ${JSON.stringify(lost)}`);
}

/** What may happen to pods in operation. */
const DISTURBANCES: readonly (readonly [
  when: string,
  disturb: (space: Space, subject: Subject) => Promise<void>,
])[] = [
  ['in a rollout restart', restart],
  ['in an upgrade that rolls the pods', upgrade],
  ['in a rollback', rollBack],
  ['while it scales up and down', scaleUpAndDown],
  ['when a pod is evicted', evictOne],
  ['when the node is drained, as far as the budget allows', drain],
];

/**
 * Callers with kept connections and callers that connect for each request lose nothing, whatever happens to the pods of a
 * subject that is installed.
 */
export async function disturb(space: Space, subject: Subject, isQuick: boolean): Promise<void> {
  const callers = await Callers.start(space, 'callers', subject.load(space.namespace));
  for (const [when, cause] of isQuick ? DISTURBANCES.slice(0, 1) : DISTURBANCES) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await check(`${subject.name}: no request is lost ${when}`, () =>
      callers.loseNothing(() => cause(space, subject)),
    );
  }
  if (!isQuick)
    await check(`${subject.name}: a killed process loses only what is in progress`, () =>
      kill(space, callers, subject),
    );
  await callers.stop();
}
