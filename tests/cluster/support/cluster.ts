import * as z from 'zod';
import { eventually } from './command.ts';
import type { Space } from './space.ts';

const pods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string(), uid: z.string(), deletionTimestamp: z.string().optional() }),
    }),
  ),
});

export interface Pod {
  readonly name: string;
  readonly uid: string;
}

interface Rollout {
  readonly deployment: string;
  readonly selector: string;
}

async function listPods(space: Space, selector: string): Promise<z.output<typeof pods>> {
  return pods.parse(JSON.parse(await space.kubectl('get', 'pods', '-l', selector, '-o', 'json')));
}

/** The pods of a selector that are not on their way out. */
export async function podsOf(space: Space, selector: string): Promise<readonly Pod[]> {
  const { items } = await listPods(space, selector);
  return items
    .map(({ metadata }) => metadata)
    .filter(({ deletionTimestamp }) => deletionTimestamp === undefined);
}

/** The names of the pods of a selector that are not on their way out. */
export async function namesOf(space: Space, selector: string): Promise<string> {
  return (await podsOf(space, selector))
    .map(({ name }) => name)
    .toSorted()
    .join();
}

/** @throws Error if there is none */
export async function aPodOf(space: Space, selector: string): Promise<string> {
  const [pod] = await podsOf(space, selector);
  if (pod === undefined) throw new Error(`No pod has ${selector}`);
  return pod.name;
}

/** Waits until a Deployment has rolled out and no pod of it is stopping. */
export async function rolledOut(space: Space, { deployment, selector }: Rollout): Promise<void> {
  await space.kubectl('rollout', 'status', `deployment/${deployment}`, '--timeout=150s');
  await eventually(async () => {
    const { items } = await listPods(space, selector);
    const stopping = items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    if (stopping.length > 0) throw new Error(`${stopping[0]?.metadata.name} does not stop`);
  }, 60);
}

/** Evicts a pod as a node does that is drained. */
export async function evict(space: Space, pod: string): Promise<void> {
  const file = space.file('eviction.json', {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: pod, namespace: space.namespace },
  });
  const url = `/api/v1/namespaces/${space.namespace}/pods/${pod}/eviction`;
  await space.kubectl('create', '--raw', url, '-f', file);
}

/** Asks the service in a container by a script in Node, which prints what comes back. */
export function fetchInside(space: Space, pod: string, url: string, body?: object): Promise<string> {
  const options =
    body === undefined
      ? '{}'
      : JSON.stringify({
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
  const script = `fetch(${JSON.stringify(url)}, ${options}).then(async (r) => console.log(r.status, await r.text()))`;
  return space.kubectl('exec', pod, '--', 'node', '-e', script);
}

/** How often the containers of a pod restarted, its sidecars included. */
export async function restartsOf(space: Space, pod: string): Promise<number> {
  const lists = ['containerStatuses', 'initContainerStatuses'];
  const path = lists.map((list) => `{range .status.${list}[*]}{.restartCount}{"\\n"}{end}`).join('');
  const counts = await space.kubectl('get', 'pod', pod, '-o', `jsonpath=${path}`);
  return counts.split('\n').reduce((sum, count) => sum + Number(count), 0);
}

/**
 * Ends the process of a container at once, without a word to callers. The kernel keeps SIGKILL from the first process of a container if
 * it comes from there, and that process leaves at the second SIGINT.
 */
export async function killProcess(space: Space, pod: string, container?: string): Promise<void> {
  // Two that come at the same time are one.
  const script = `
    process.kill(1, 'SIGINT');
    setTimeout(() => process.kill(1, 'SIGINT'), 5);`;
  const before = await restartsOf(space, pod);
  // Its own process may end with the container before it can say so.
  const flags = container === undefined ? [] : ['-c', container];
  void space.outcome('kubectl', 'exec', pod, ...flags, '--', 'node', '-e', script);
  await eventually(async () => {
    if ((await restartsOf(space, pod)) === before) throw new Error('The process was not killed');
  }, 60);
}
