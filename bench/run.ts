/**
 * Measures what the service costs: `node --expose-gc bench/run.ts [core] [peers] [service] [decisions] [protocols] [places] [footprint] [hostile] [sizing]`; all parts unless told.
 * Writes `docs/performance.md`, its plots and the numbers behind it; parts that are not run keep their numbers. With `--quick` it
 * shows only that everything runs, and writes into `build/bench`.
 */
import process from 'node:process';
import { mkdirSync } from 'node:fs';
import { measureBundledCore } from './core/bundled.ts';
import { measureDecisions } from './decisions/part.ts';
import { measureFootprint } from './footprint/part.ts';
import { measureHostile } from './hostile/part.ts';
import { describeMachine } from './machine.ts';
import { inTurn } from './measure/paired.ts';
import { measurePeers } from './peers/part.ts';
import { measurePlaces } from './places/part.ts';
import { measureProtocols } from './protocols/part.ts';
import { PARTS, type Part, type Results } from './report/results.ts';
import { readResults } from './report/results-file.ts';
import { writeReport } from './report/write.ts';
import { FULL, QUICK, type Scale } from './scale.ts';
import { measureService } from './service/part.ts';
import { measureSizing } from './sizing/part.ts';

/** For what is built on the way, and for the report of a quick run. */
const WORK = 'build/bench';

function partsFrom(args: readonly string[]): readonly Part[] {
  const unknown = args.find((arg) => !PARTS.some((part) => part === arg));
  if (unknown !== undefined) {
    process.stderr.write(`${unknown} is no part of the measurement: choose among ${PARTS.join(', ')}.\n`);
    process.exit(1);
  }
  return args.length === 0 ? PARTS : PARTS.filter((part) => args.includes(part));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measure(
  part: Part,
  { effort, largest, service, decisions, protocols, places, footprint, hostile, sizing, entry }: Scale,
): Promise<Results> {
  const machine = describeMachine();
  say(`\n${part}, on ${machine.cores} cores of ${machine.processor}`);
  switch (part) {
    case 'core':
      return { core: { machine, measured: await measureBundledCore(WORK, isQuick) } };
    case 'peers':
      return { peers: { machine, measured: await measurePeers({ effort, largest, folder: WORK, say }) } };
    case 'service':
      return { service: { machine, measured: await measureService({ effort: service, entry, say }) } };
    case 'decisions':
      return { decisions: { machine, measured: await measureDecisions({ effort: decisions, entry, say }) } };
    case 'protocols': {
      const measured = await measureProtocols({ reading: effort, effort: protocols, entry, say });
      return { protocols: { machine, measured } };
    }
    case 'places': {
      const measured = await measurePlaces({ ...places, library: effort, entry, folder: WORK, say });
      return { places: { machine, measured } };
    }
    case 'footprint':
      return { footprint: { machine, measured: await measureFootprint({ effort: footprint, entry, say }) } };
    case 'hostile':
      return { hostile: { machine, measured: await measureHostile(hostile, entry, say) } };
    case 'sizing':
      return { sizing: { machine, measured: await measureSizing({ effort: sizing, entry, say }) } };
  }
}

const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const folder = isQuick ? WORK : 'docs';
mkdirSync(WORK, { recursive: true });
const parts = partsFrom(args.filter((arg) => arg !== '--quick'));
await inTurn(parts, async (part) => {
  const measured = await measure(part, isQuick ? QUICK : FULL);
  await writeReport({ ...readResults(folder), ...measured }, folder);
});
say(`\nWritten to ${folder}/performance.md.`);
