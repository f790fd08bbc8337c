import { inTurn } from '../measure/paired.ts';
import type { HostileResult } from '../report/results.ts';
import { CONDITION_SHAPES } from './condition-shapes.ts';
import { DECISION_SHAPES, type DecisionShape } from './decision-shapes.ts';
import { Enforcing, type Outcome } from './enforcing.ts';
import { ORDINARY, PAYLOAD_SHAPES } from './payload-shapes.ts';
import { Serving } from './serving.ts';
import type { HostileRequest, Shape } from './shape.ts';

/** How much of the hostile requests is measured. */
export interface HostileEffort {
  /** The sizes of payloads, in bytes: the larger is ten times the smaller. */
  readonly sizes: readonly [smaller: number, larger: number];
  /** How many names or entries a decision has. */
  readonly names: number;
  /** How often each is run in this process, and sent to the service; the least counts. */
  readonly runs: number;
  /** What takes longer is run once only, in milliseconds. */
  readonly patience: number;
  /** Of so many shapes, one is measured: of one, all are. */
  readonly oneOf: number;
}

/** What a decision may cost, in microseconds of CPU. */
const PER_ENTRY = 5;
const PER_NAME = 1;

/** How many times as often as a request a decision is enforced: V8 optimizes what it has run for a while, and this takes less time. */
const RUNS_OF_DECISION = 4;

/** How often the liveness is asked for while a request is enforced; the least counts. */
const PROBED_RUNS = 2;

/** What takes so many times the patience is not run in ten times the size: it takes ten times as long at least. */
const HOPELESS = 4;

function atLeast({ cpu }: Outcome): Outcome {
  return { cpu: cpu * 10, answer: 'not run' };
}

/** Measures requests and decisions that are made to cost much. @param entry the program that runs: `dist/main.js` */
export async function measureHostile(
  effort: HostileEffort,
  entry: string,
  say: (line: string) => void,
): Promise<HostileResult> {
  const [smaller, larger] = effort.sizes;
  const serving = await Serving.start(entry);
  try {
    // First, because what the payloads leave behind in this process would weigh on them.
    const decisions = await inTurn(some(DECISION_SHAPES, effort), (shape) => decisionResult(shape, effort));
    for (const { name, ratio } of decisions) say(`${name}: ${ratio.toFixed(1)}`);
    await costOf(ORDINARY, smaller, serving, { ...effort, runs: effort.runs * 10 });
    const ordinary = await costOf(ORDINARY, larger, serving, effort);
    const payloads = await inTurn(some([...PAYLOAD_SHAPES, ...CONDITION_SHAPES], effort), async (shape) => {
      const cost = await payloadResult(shape, ordinary, serving, effort);
      const { request, ratio, liveness } = cost;
      say(
        `${shape.name}: ${request.ratio.toFixed(1)}, core ${ratio.toFixed(1)}, liveness ${liveness.toFixed(0)} ms`,
      );
      return cost;
    });
    const ofOrdinary = { ordinary: ordinary.core.cpu, ordinaryRequest: ordinary.request.cpu };
    return { bytes: larger, names: effort.names, ...ofOrdinary, payloads, decisions };
  } finally {
    await serving.stop();
  }
}

function some<T>(shapes: readonly T[], { oneOf }: HostileEffort): readonly T[] {
  return shapes.filter((_shape, at) => at % oneOf === 0);
}

/** What a request costs, from bytes to bytes in this process and as a whole in that of the service. */
interface Cost {
  readonly core: Outcome;
  readonly request: Outcome;
}

async function payloadResult(
  shape: Shape,
  ordinary: Cost,
  serving: Serving,
  effort: HostileEffort,
): Promise<HostileResult['payloads'][number]> {
  const [smaller, larger] = effort.sizes;
  const small = await costOf(shape, smaller, serving, effort);
  const isHopeless = small.core.cpu > effort.patience * HOPELESS;
  const large = isHopeless ? tenfold(small) : await costOf(shape, larger, serving, effort);
  const compared = (part: keyof Cost): { cpu: number; ratio: number; growth: number } => {
    const { cpu } = large[part];
    return { cpu, ratio: cpu / ordinary[part].cpu, growth: cpu / small[part].cpu };
  };
  return {
    name: shape.name,
    ...compared('core'),
    request: compared('request'),
    liveness: await livenessDuring(shape.request(isHopeless ? smaller : larger), serving),
    answer: String(large.core.answer),
  };
}

async function livenessDuring(request: HostileRequest, serving: Serving): Promise<number> {
  const slowest = await inTurn(Array.from({ length: PROBED_RUNS }), () => serving.slowestProbe(request));
  return Math.min(...slowest);
}

function tenfold({ core, request }: Cost): Cost {
  return { core: atLeast(core), request: atLeast(request) };
}

async function costOf(shape: Shape, bytes: number, serving: Serving, effort: HostileEffort): Promise<Cost> {
  const request = shape.request(bytes);
  const enforcing = new Enforcing(request);
  const core = await leastOf(() => enforcing.run(), effort.runs, effort.patience);
  const served = await leastOf(() => serving.run(request), effort.runs, effort.patience);
  // Near the limit of processor time, only one of the two may be refused.
  const isCostly = [core.answer, served.answer].includes('enforcement-too-costly');
  if (!isCostly && core.answer !== served.answer)
    throw new Error(`${shape.name}: the service answers ${served.answer}, and not ${core.answer}`);
  return { core, request: served };
}

/** The least of several runs, because noise only adds. */
async function leastOf(run: () => Promise<Outcome>, runs: number, patience: number): Promise<Outcome> {
  let least = await run();
  for (let ran = 1; ran < runs && least.cpu < patience; ran++) {
    globalThis.gc?.({ type: 'minor' });
    // oxlint-disable-next-line no-await-in-loop -- one at a time is what a measurement is
    const next = await run();
    if (next.cpu < least.cpu) least = next;
  }
  return least;
}

/** A record that each of the decisions is enforced on: what payloads lead to is made then. */
const RECORD = '{"id":1,"ssn":"a","status":"open","address":{"city":"b","tags":["c","d"]}}';

/** What it costs to read a decision and to enforce it on one record, if nobody has had it before. */
async function decisionResult(
  shape: DecisionShape,
  effort: HostileEffort,
): Promise<HostileResult['decisions'][number]> {
  const { decision, entries, names } = shape.make(effort.names);
  const enforcing = new Enforcing({ payload: `[${RECORD}]`, decision });
  const runs = effort.runs * RUNS_OF_DECISION;
  const { cpu } = await leastOf(() => enforcing.run(), runs, effort.patience);
  const allowed = (entries * PER_ENTRY + names * PER_NAME) / 1000;
  return { name: shape.name, cpu, ratio: cpu / allowed };
}
