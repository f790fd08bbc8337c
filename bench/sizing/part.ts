import { KB } from '../core/cases.ts';
import { inTurn } from '../measure/paired.ts';
import type { SizingResult } from '../report/results.ts';
import { answerOf } from '../service/answer.ts';
import { ask, portOf, startModule, stop } from '../service/child.ts';
import { startService, type Contender } from '../service/contender.ts';
import { load, type LoadTask } from '../service/task.ts';
import { processorTime } from './processor-time.ts';

/** How much of the sizing is measured. */
export interface SizingEffort {
  readonly kilobytes: readonly number[];
  readonly concurrency: number;
  /** How long a load lasts, in milliseconds. */
  readonly duration: number;
}

interface SizingOptions {
  readonly effort: SizingEffort;
  readonly entry: string;
  readonly say: (line: string) => void;
}

/** What the page about sizing compares: one process, one that caches decisions, and two processes. */
const CONFIGURATIONS = [
  { name: 'one process', configuration: {} },
  { name: 'decision cache', configuration: { pdpCache: { enabled: true } } },
  { name: 'two processes', configuration: { workers: 2 } },
];

/**
 * Measures the processor time that a request takes, which says how many requests a core can serve: with a load generator on the
 * same machine, the rate of requests would not.
 *
 * @returns nothing on systems that do not report the processor time of a process
 */
export async function measureSizing({ effort, entry, say }: SizingOptions): Promise<SizingResult[]> {
  const pdp = startModule('service/pdp.ts');
  const generator = startModule('service/load.ts');
  const pdpPort = await portOf(pdp);
  try {
    const results = await inTurn(CONFIGURATIONS, async ({ name, configuration }) => {
      const contender = await startService({ name, entry, pdpPort, configuration });
      try {
        return await inTurn(effort.kilobytes, (kilobytes) => measureSize(contender, kilobytes));
      } finally {
        await contender.stop();
      }
    });
    return results.flat(2);
  } finally {
    await Promise.all([pdp, generator].map(stop));
  }

  async function measureSize(contender: Contender, kilobytes: number): Promise<readonly SizingResult[]> {
    const { name, port, pid } = contender;
    const bytes = kilobytes * KB;
    const answer = (await answerOf(contender, bytes)).length;
    const { concurrency, duration } = effort;
    const task: LoadTask = {
      port,
      source: 'request',
      bytes,
      concurrency,
      milliseconds: duration,
      expected: answer,
    };
    await ask(generator, task);
    const before = await processorTime(pid);
    const begin = performance.now();
    const { requestsPerSecond } = load.parse(await ask(generator, task));
    const seconds = (performance.now() - begin) / 1000;
    const after = await processorTime(pid);
    if (before === undefined || after === undefined) return [];
    const cpu = (after - before) / (requestsPerSecond * seconds);
    say(`${name}, ${kilobytes} KB: ${cpu.toFixed(3)} ms of processor time a request`);
    return [{ name, kilobytes, cpu, requestsPerSecond, answer }];
  }
}
