/**
 * Runs the charts on the cluster that kubectl points at: `make test-cluster`. The cluster has to have the image (`make image`).
 * Every part works in namespaces of its own and removes them. The environment may set QUICK=1 for a shorter run, PARTS for
 * some parts only (such as `losses,tls`), IMAGE, and OPA_IMAGE, an image of Open Policy Agent that the cluster has or can pull. The
 * last line counts what was checked.
 */
import { admission } from './sections/admission.ts';
import { agent } from './sections/agent.ts';
import { agentWithOpa } from './sections/agent-with-opa.ts';
import { autoscaling } from './sections/autoscaling.ts';
import { losses } from './sections/losses.ts';
import { network } from './sections/network.ts';
import { besideMicroservice, proxiedMicroservice } from './sections/sidecar.ts';
import { tls } from './sections/tls.ts';
import { trouble } from './sections/trouble.ts';
import { walkthrough } from './sections/walkthrough.ts';
import { check, heading, summarize } from './support/report.ts';
import { buildDependencies } from './support/space.ts';

interface Part {
  readonly name: string;
  /** Whether the shorter run has it. */
  readonly isQuick: boolean;
  readonly run: () => Promise<void>;
}

const isQuick = (process.env['QUICK'] ?? '') !== '';

/** The longest come first. */
const PARTS: readonly Part[] = [
  { name: 'agent with Helm 3', isQuick: true, run: () => agent('helm', isQuick) },
  { name: 'losses', isQuick: true, run: () => losses(isQuick) },
  { name: 'proxied sidecar', isQuick: true, run: () => proxiedMicroservice(isQuick) },
  { name: 'sidecar', isQuick: true, run: () => besideMicroservice(isQuick) },
  { name: 'walkthrough with Helm 3', isQuick: true, run: () => walkthrough('helm') },
  { name: 'walkthrough with Helm 4', isQuick: false, run: () => walkthrough('helm4') },
  { name: 'tls', isQuick: false, run: tls },
  { name: 'agent with Helm 4', isQuick: false, run: () => agent('helm4', true) },
  { name: 'autoscaling', isQuick: false, run: autoscaling },
  { name: 'network', isQuick: false, run: network },
  { name: 'opa', isQuick: true, run: agentWithOpa },
  { name: 'trouble', isQuick: true, run: () => trouble(isQuick) },
  { name: 'admission', isQuick: false, run: admission },
];

/** How many parts run at the same time: they wait for most of it. */
const AT_ONCE = 3;

/** Those that `PARTS` names by what their names begin with; without it all, or the quick ones. */
function wantedParts(): Part[] {
  const wanted = (process.env['PARTS'] ?? '').split(',').map((one) => one.trim());
  const unknown = wanted.find((one) => !PARTS.some(({ name }) => name.startsWith(one)));
  if (unknown !== undefined)
    throw new Error(`${unknown} is no part: choose among ${PARTS.map(({ name }) => name).join(', ')}`);
  if (wanted[0] === '') return PARTS.filter(({ isQuick: isShort }) => isShort || !isQuick);
  return PARTS.filter(({ name }) => wanted.some((one) => name.startsWith(one)));
}

async function runPart({ name, run }: Part): Promise<void> {
  heading(name);
  await run().catch((error: unknown) => check(`${name} runs to its end`, () => Promise.reject(error)));
}

async function runInTurn(waiting: Part[]): Promise<void> {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await runPart(part);
  }
}

const waiting = wantedParts();
await buildDependencies();
await Promise.all(Array.from({ length: AT_ONCE }, () => runInTurn(waiting)));
summarize();
