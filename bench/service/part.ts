import type { ChildProcess } from 'node:child_process';
import { KB, MB } from '../core/cases.ts';
import { inTurn } from '../measure/paired.ts';
import { median } from '../measure/statistics.ts';
import type { ServicePoint } from '../report/results.ts';
import { requireSameAnswers } from './answer.ts';
import { ask, portOf, startModule, stop } from './child.ts';
import { startByHand, startService, type Contender } from './contender.ts';
import { livenessDuring } from './liveness.ts';
import type { PayloadSource } from './request.ts';
import { load, type Latencies, type Load, type LoadTask } from './task.ts';

/** How much of the service is measured. */
export interface ServiceEffort {
  readonly kilobytes: readonly number[];
  readonly concurrencies: readonly number[];
  readonly rounds: number;
  /** How long answers count in a round, in milliseconds. */
  readonly window: number;
  /** How long each contender is loaded before it counts, in milliseconds. */
  readonly warmUp: number;
}

export interface ServiceOptions {
  readonly effort: ServiceEffort;
  readonly entry: string;
  readonly say: (line: string) => void;
}

/** What the contenders of a measurement are, and which of them the others are compared with. */
export interface Field {
  /** @param pdpPort where the PDP listens, on loopback */
  readonly start: (pdpPort: number) => Promise<readonly Contender[]>;
  readonly baseline: string;
  /** Default: the request to `/enforce`. */
  readonly source?: PayloadSource;
}

/** What a contender did in one round. */
interface Round extends Load {
  readonly liveness: Latencies;
}

const WARM_UP_CONCURRENCY = 16;

/** In flight, in bytes. */
const MUCH = 10 * MB;

/** Measures the service under load, against what anyone would write by hand. */
export function measureService(options: ServiceOptions): Promise<ServicePoint[]> {
  const { entry } = options;
  const pdpCache = { enabled: true };
  return measureField(options, {
    baseline: 'by hand',
    start: (pdpPort) =>
      Promise.all([
        startService({ entry, pdpPort, name: 'service' }),
        startByHand(pdpPort),
        startService({ entry, pdpPort, name: 'service (decision cache)', configuration: { pdpCache } }),
        startService({ entry, pdpPort, name: 'service (workers: auto)', configuration: { workers: 'auto' } }),
      ]),
  });
}

/** Measures contenders under the same load. */
export async function measureField(
  { effort, say }: Pick<ServiceOptions, 'effort' | 'say'>,
  { start, baseline, source = 'request' }: Field,
): Promise<ServicePoint[]> {
  const pdp = startModule('service/pdp.ts');
  const generator = startModule('service/load.ts');
  const contenders = await start(await portOf(pdp));
  try {
    const points = await inTurn(effort.kilobytes, (kilobytes) =>
      measureSize(kilobytes, { contenders, baseline, source, generator, effort, say }),
    );
    return points.flat();
  } finally {
    await Promise.all(contenders.map((contender) => contender.stop()));
    await Promise.all([pdp, generator].map(stop));
  }
}

interface Setting {
  readonly contenders: readonly Contender[];
  readonly baseline: string;
  readonly source: PayloadSource;
  readonly generator: ChildProcess;
  readonly effort: ServiceEffort;
  readonly say: (line: string) => void;
}

async function measureSize(kilobytes: number, setting: Setting): Promise<ServicePoint[]> {
  const { contenders, baseline, source, generator, effort, say } = setting;
  const bytes = kilobytes * KB;
  const lengths = await requireSameAnswers(contenders, bytes, source);
  const tasksFor = (concurrency: number, milliseconds: number): LoadTask[] =>
    contenders.map(({ port }, index) => {
      return { port, source, bytes, concurrency, milliseconds, expected: lengths[index] ?? 0 };
    });
  await inTurn(tasksFor(WARM_UP_CONCURRENCY, effort.warmUp), (task) => ask(generator, task));
  return inTurn(effort.concurrencies, async (concurrency) => {
    const tasks = tasksFor(concurrency, windowFor(bytes * concurrency, effort));
    const rounds = await inTurn([...Array(effort.rounds).keys()], (round) =>
      runRound(tasks, round, generator),
    );
    const point = { kilobytes, concurrency, contenders: standings(contenders, baseline, rounds) };
    say(`${kilobytes} KB, ${concurrency} at once: ${point.contenders[0]?.ratio.toFixed(2)}`);
    return point;
  });
}

/** Where more is in flight, a caller waits longer for an answer, and a window of the usual length would hold too few. */
function windowFor(inFlight: number, { window }: ServiceEffort): number {
  return inFlight > MUCH ? 3 * window : window;
}

/** Every contender's turn, one after the other; who begins changes from round to round. */
async function runRound(
  tasks: readonly LoadTask[],
  round: number,
  generator: ChildProcess,
): Promise<Round[]> {
  const first = round % tasks.length;
  const results: Round[] = [];
  const indexes = [...tasks.keys()];
  await inTurn([...indexes.slice(first), ...indexes.slice(0, first)], async (index) => {
    const task = tasks[index];
    if (task) results[index] = await runTask(task, generator);
  });
  return results;
}

async function runTask(task: LoadTask, generator: ChildProcess): Promise<Round> {
  const loading = ask(generator, task).then((result) => load.parse(result));
  const liveness = await livenessDuring(loading, task.port);
  return { ...(await loading), liveness };
}

function standings(
  contenders: readonly Contender[],
  baseline: string,
  rounds: readonly (readonly Round[])[],
): ServicePoint['contenders'] {
  const compared = contenders.findIndex(({ name }) => name === baseline);
  return contenders.map(({ name }, index) => {
    const own = rounds.flatMap((round) => round[index] ?? []);
    const ratios = rounds.map((round) => rateOf(round[index]) / rateOf(round[compared]));
    return {
      name,
      requestsPerSecond: median(own.map(rateOf)),
      ratio: median(ratios),
      latency: medianOf(own),
      liveness: medianOf(own.map(({ liveness }) => liveness)),
    };
  });
}

function rateOf(round: Round | undefined): number {
  return round?.requestsPerSecond ?? NaN;
}

function medianOf(all: readonly Latencies[]): Latencies {
  return {
    p50: median(all.map(({ p50 }) => p50)),
    p90: median(all.map(({ p90 }) => p90)),
    p99: median(all.map(({ p99 }) => p99)),
  };
}
