import type { ChildProcess } from 'node:child_process';
import { CORE_CASES, KB, KNOWN, type CoreCase } from '../core/cases.ts';
import { inTurn } from '../measure/paired.ts';
import { median } from '../measure/statistics.ts';
import type { DecisionsResult } from '../report/results.ts';
import { answerOf } from '../service/answer.ts';
import { ask, portOf, startModule, stop } from '../service/child.ts';
import { startService } from '../service/contender.ts';
import { load, type LoadTask } from '../service/task.ts';
import { processorTime } from '../sizing/processor-time.ts';
import type { Told } from './told.ts';

/** How much of what new decisions cost is measured. */
export interface DecisionsEffort {
  readonly concurrency: number;
  readonly rounds: number;
  /** How long requests with decisions of one kind are sent in a round, in milliseconds. */
  readonly duration: number;
}

interface DecisionsOptions {
  readonly effort: DecisionsEffort;
  readonly entry: string;
  readonly say: (line: string) => void;
}

/** The size of the payload. */
const BYTES = 20 * KB;

/** Decisions of which each request gets another, as the core is measured on them. */
const CASES = CORE_CASES.filter(
  ({ bytes, isNew, other }) => bytes === BYTES && isNew && other?.name === KNOWN,
);

/**
 * Measures the processor time that a request takes if nobody has had its decision before, against the same with a known decision.
 *
 * @returns nothing on systems that do not report the processor time of a process
 */
export async function measureDecisions(options: DecisionsOptions): Promise<DecisionsResult[]> {
  const pdp = startModule('decisions/pdp.ts');
  const generator = startModule('service/load.ts');
  const service = await startService({ name: 'service', entry: options.entry, pdpPort: await portOf(pdp) });
  try {
    const results = await inTurn(CASES, async (one) => {
      const result = await measureCase(one);
      for (const { rules, ratio } of result) options.say(`${rules}: ${ratio.toFixed(2)}`);
      return result;
    });
    return results.flat();
  } finally {
    await Promise.all([service.stop(), stop(pdp), stop(generator)]);
  }

  async function measureCase({ rules, count, decision }: CoreCase): Promise<DecisionsResult[]> {
    const kinds: readonly Told[] = [
      { decision, isNew: false },
      { decision, isNew: true },
    ];
    await inTurn(kinds, (kind) => timeOfRequest(kind));
    const rounds = await inTurn([...Array(options.effort.rounds).keys()], () =>
      inTurn(kinds, (kind) => timeOfRequest(kind)),
    );
    const known = rounds.map(([time]) => time ?? NaN);
    const fresh = rounds.map(([, time]) => time ?? NaN);
    const ratio = median(fresh.map((time, round) => time / (known[round] ?? NaN)));
    if (Number.isNaN(ratio)) return [];
    return [{ rules, count, bytes: BYTES, known: Math.min(...known), fresh: Math.min(...fresh), ratio }];
  }

  /** The processor time of a request, in milliseconds. */
  async function timeOfRequest(kind: Told): Promise<number | undefined> {
    await ask(pdp, kind);
    const task = await taskFor(service.port);
    const before = await processorTime(service.pid);
    const requests = await countOf(generator, task);
    const after = await processorTime(service.pid);
    return before === undefined || after === undefined ? undefined : (after - before) / requests;
  }

  async function taskFor(port: number): Promise<LoadTask> {
    const { concurrency, duration } = options.effort;
    const expected = (await answerOf(service, BYTES)).length;
    return { port, source: 'request', bytes: BYTES, concurrency, milliseconds: duration, expected };
  }
}

/** How many requests were answered. */
async function countOf(generator: ChildProcess, task: LoadTask): Promise<number> {
  const begin = performance.now();
  const { requestsPerSecond } = load.parse(await ask(generator, task));
  return (requestsPerSecond * (performance.now() - begin)) / 1000;
}
