import { spawn } from 'node:child_process';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { KB } from '../core/cases.ts';
import { inTurn } from '../measure/paired.ts';
import { median } from '../measure/statistics.ts';
import type { Footprint } from '../report/results.ts';
import { answerOf } from '../service/answer.ts';
import { ask, portOf, startModule, stop } from '../service/child.ts';
import { startByHand, startService, type Contender } from '../service/contender.ts';
import type { LoadTask } from '../service/task.ts';
import { measureCommands } from './commands.ts';
import { residentMemory } from './memory.ts';
import { deliveredSizes } from './sizes.ts';

/** How much of the footprint is measured. */
export interface FootprintEffort {
  readonly starts: number;
  /** In how many rounds each command is measured. */
  readonly commands: number;
  /** How often each load is measured; the median counts. */
  readonly repeats: number;
  readonly loads: readonly { readonly kilobytes: number; readonly concurrency: number }[];
  /** How long a load lasts, in milliseconds. */
  readonly duration: number;
}

interface FootprintOptions {
  readonly effort: FootprintEffort;
  readonly entry: string;
  readonly say: (line: string) => void;
}

type Starter = () => Promise<Contender>;
type Memory = Footprint['memory'][number];

/** How long a process is left alone before its idle memory is read, in milliseconds. */
const REST = 1000;

/** Measures how fast the service starts, how much memory it takes, and how large it is. */
export async function measureFootprint({ effort, entry, say }: FootprintOptions): Promise<Footprint> {
  const pdp = startModule('service/pdp.ts');
  const pdpPort = await portOf(pdp);
  const starters: readonly Starter[] = [
    () => startService({ name: 'service', entry, pdpPort }),
    () => startByHand(pdpPort),
  ];
  const rounds = await inTurn([...Array(effort.starts).keys()], () => inTurn(starters, measureStart));
  const starts = ['service', 'by hand'].map((name, index) => ({
    name,
    milliseconds: median(rounds.map((round) => round[index] ?? NaN)),
  }));
  say(
    starts.map(({ name, milliseconds }) => `${name} answers after ${milliseconds.toFixed()} ms`).join(', '),
  );
  const memory = await inTurn(effort.loads, (load) =>
    inTurn(starters, async (start) =>
      medianOf(
        await inTurn([...Array(effort.repeats).keys()], () => measureMemory(start, load, effort.duration)),
      ),
    ),
  );
  await stop(pdp);
  const bareMemory = await measureBareMemory();
  const commands = measureCommands(entry, effort.commands);
  say(commands.map(({ name, ratio }) => `${name}: ${ratio.toFixed(1)}`).join(', '));
  return { starts, bareMemory, commands, memory: memory.flat(2), sizes: deliveredSizes() };
}

/** What a process of Node that waits has resident, in bytes. */
async function measureBareMemory(): Promise<number | undefined> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)'], { stdio: 'ignore' });
  await wait(REST);
  const memory = child.pid === undefined ? undefined : await residentMemory(child.pid);
  await stop(child);
  return memory?.now;
}

/** From the start of the process to its first answer to an enforce request, in milliseconds. */
async function measureStart(start: Starter): Promise<number> {
  const begin = performance.now();
  const contender = await start();
  await answerOf(contender, KB);
  const took = performance.now() - begin;
  await contender.stop();
  return took;
}

async function measureMemory(
  start: Starter,
  { kilobytes, concurrency }: FootprintEffort['loads'][number],
  duration: number,
): Promise<Memory | undefined> {
  const contender = await start();
  const generator = startModule('service/load.ts');
  try {
    await answerOf(contender, KB);
    await wait(REST);
    const idle = await residentMemory(contender.pid);
    const bytes = kilobytes * KB;
    const expected = (await answerOf(contender, bytes)).length;
    const { port } = contender;
    const task: LoadTask = { port, source: 'request', bytes, concurrency, milliseconds: duration, expected };
    await ask(generator, task);
    const loaded = await residentMemory(contender.pid);
    if (idle === undefined || loaded === undefined) return undefined;
    return { name: contender.name, kilobytes, concurrency, idle: idle.now, peak: loaded.peak };
  } finally {
    await Promise.all([contender.stop(), stop(generator)]);
  }
}

/** @returns nothing on systems that do not report the memory of a process */
function medianOf(all: readonly (Memory | undefined)[]): readonly Memory[] {
  const measured = all.flatMap((one) => one ?? []);
  const [first] = measured;
  if (!first) return [];
  return [
    {
      ...first,
      idle: median(measured.map(({ idle }) => idle)),
      peak: median(measured.map(({ peak }) => peak)),
    },
  ];
}
