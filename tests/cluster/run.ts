/**
 * Runs the charts on the cluster that kubectl points at: `make test-cluster`. The cluster has to have the image (`make image`).
 * Every part works in namespaces of its own and removes them. The environment may set QUICK=1 for a shorter run, PARTS for
 * some parts only (such as `losses,tls`), and IMAGE. The last line counts what was checked.
 */
import { admission } from './sections/admission.ts';
import { agent } from './sections/agent.ts';
import { losses } from './sections/losses.ts';
import { network } from './sections/network.ts';
import { besideMicroservice } from './sections/sidecar.ts';
import { tls } from './sections/tls.ts';
import { trouble } from './sections/trouble.ts';
import { walkthrough } from './sections/walkthrough.ts';
import { check, heading, summarize } from './support/report.ts';

interface Part {
  readonly name: string;
  /** Whether the shorter run has it. */
  readonly isQuick: boolean;
  readonly run: () => Promise<void>;
}

const isQuick = (process.env['QUICK'] ?? '') !== '';

const PARTS: readonly Part[] = [
  { name: 'walkthrough with Helm 3', isQuick: true, run: () => walkthrough('helm') },
  { name: 'walkthrough with Helm 4', isQuick: false, run: () => walkthrough('helm4') },
  { name: 'losses', isQuick: true, run: () => losses(isQuick) },
  { name: 'agent with Helm 3', isQuick: true, run: () => agent('helm', isQuick) },
  { name: 'agent with Helm 4', isQuick: false, run: () => agent('helm4', true) },
  { name: 'sidecar', isQuick: true, run: besideMicroservice },
  { name: 'admission', isQuick: false, run: admission },
  { name: 'network', isQuick: false, run: network },
  { name: 'trouble', isQuick: true, run: () => trouble(isQuick) },
  { name: 'tls', isQuick: false, run: tls },
];

function isWanted({ name, isQuick: isShort }: Part): boolean {
  const wanted = process.env['PARTS'];
  if (wanted !== undefined && wanted !== '')
    return wanted.split(',').some((one) => name.startsWith(one.trim()));
  return isShort || !isQuick;
}

async function runPart({ name, run }: Part): Promise<void> {
  heading(name);
  await run().catch((error: unknown) => check(`${name} runs to its end`, () => Promise.reject(error)));
}

for (const part of PARTS.filter(isWanted)) {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  await runPart(part);
}
summarize();
