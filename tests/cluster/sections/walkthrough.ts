import { isDeepStrictEqual } from 'node:util';
import { blocksBelow, valuesFile } from '../support/documentation.ts';
import { eventually } from '../support/command.ts';
import { check } from '../support/report.ts';
import { within, type HelmVersion, type Space } from '../support/space.ts';

const PAGE = 'docs/kubernetes.md';

/** What stays with a namespace, and what tests leave nothing else than. */
const OWN = new Set(['configmap/kube-root-ca.crt', 'serviceaccount/default']);
const KINDS = 'all,configmap,secret,serviceaccount,poddisruptionbudget,networkpolicy';

/** Commands that bring a cluster and an image, which are there already. */
const PREPARES = /^(?:make|kind) /m;

async function enforce(space: Space, forward: string, curl: string, expected: string): Promise<void> {
  // In the background as in another terminal, and over with the curl.
  const script = `${forward.trim()} >/dev/null & trap "kill $!" EXIT; for i in $(seq 20); do sleep 0.5; ${curl.trim()} && break; done 2>/dev/null`;
  // A PDP that runs already reads its changed policies within about a minute.
  await eventually(async () => {
    const answer: unknown = JSON.parse(await space.shell(script));
    if (!isDeepStrictEqual(answer, JSON.parse(expected)))
      throw new Error(`The answer is ${JSON.stringify(answer)}`);
  }, 150);
}

/** Runs what the page says, block by block. */
async function followBlocks(space: Space, heading: string): Promise<void> {
  const blocks = blocksBelow(PAGE, heading);
  const title = heading.replace(/^#+ /, '');
  for (const [i, { language, text }] of blocks.entries()) {
    if (language !== 'sh' || PREPARES.test(text) || text.startsWith('curl')) continue;
    const next = blocks[i + 1]?.text ?? '';
    if (text.startsWith('kubectl port-forward')) {
      const expected = blocks[i + 2]?.text ?? '';
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await check(`${title}: curl through the port-forward answers as shown`, () =>
        enforce(space, text, next, expected),
      );
    } else {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await check(`${title}: ${text.split('\n')[0]} … succeeds`, () => space.shell(text));
    }
  }
}

async function leavesNothing(space: Space): Promise<void> {
  await eventually(async () => {
    const names = (await space.kubectl('get', KINDS, '-o', 'name')).split('\n').filter((name) => name !== '');
    const left = names.filter((name) => !OWN.has(name));
    if (left.length > 0) throw new Error(`Left: ${left.join(', ')}`);
  });
}

/** Every command of docs/kubernetes.md as printed, in order, for the service and for the agent. */
export async function walkthrough(version: HelmVersion): Promise<void> {
  await within(
    `walkthrough-${version}`,
    async (space) => {
      for (const name of ['pdp.yaml', 'scaling.yaml', 'agent.yaml']) space.file(name, valuesFile(PAGE, name));
      await followBlocks(space, '### From nothing to a masked payload');
      await followBlocks(space, '### With a PDP');
      await followBlocks(space, '## Scaling and upgrades');
      await check(`${version}: uninstalling leaves nothing`, () => leavesNothing(space));
      await followBlocks(space, '## The agent');
      await check(`${version}: uninstalling the agent leaves nothing`, async () => {
        await space.helm('uninstall', 'agent', '--wait');
        await leavesNothing(space);
      });
    },
    version,
  );
}
