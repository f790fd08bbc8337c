import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import process from 'node:process';
import { Plans } from '../../src/enforcement/plans.ts';
import { SETTINGS } from '../core/core.ts';
import { inTurn } from '../measure/paired.ts';
import type { HostileResult } from '../report/results.ts';
import { CONDITION_SHAPES } from './condition-shapes.ts';
import { DECISION_SHAPES, type DecisionShape } from './decision-shapes.ts';
import { Enforcing, type Outcome } from './enforcing.ts';
import { ORDINARY, PAYLOAD_SHAPES } from './payload-shapes.ts';
import type { Shape } from './shape.ts';

/** How much of the hostile requests is measured. */
export interface HostileEffort {
  /** The sizes of payloads, in bytes: the larger is ten times the smaller. */
  readonly sizes: readonly [smaller: number, larger: number];
  /** How many names or entries a decision has. */
  readonly names: number;
  /** How often each is run; the least counts. */
  readonly runs: number;
  /** What takes longer is run once only, in milliseconds. */
  readonly patience: number;
}

/** What a decision may cost, in microseconds of CPU. */
const PER_ENTRY = 5;
const PER_NAME = 1;

/** What takes so many times the patience is not run in ten times the size: it takes ten times as long at least. */
const HOPELESS = 4;

function atLeast({ cpu }: Outcome): Outcome {
  return { cpu: cpu * 10, answer: 'not run' };
}

/** Measures requests and decisions that are made to cost much. */
export async function measureHostile(
  effort: HostileEffort,
  say: (line: string) => void,
): Promise<HostileResult> {
  const [smaller, larger] = effort.sizes;
  await cpuOf(ORDINARY, smaller, { ...effort, runs: effort.runs * 10 });
  const ordinary = await cpuOf(ORDINARY, larger, effort);
  const payloads = await inTurn([...PAYLOAD_SHAPES, ...CONDITION_SHAPES], async (shape) => {
    const small = await cpuOf(shape, smaller, effort);
    const isHopeless = small.cpu > effort.patience * HOPELESS;
    const large = isHopeless ? atLeast(small) : await cpuOf(shape, larger, effort);
    say(`${shape.name}: ${(large.cpu / ordinary.cpu).toFixed(1)}`);
    return {
      name: shape.name,
      cpu: large.cpu,
      ratio: large.cpu / ordinary.cpu,
      growth: large.cpu / small.cpu,
      answer: String(large.answer),
    };
  });
  const decisions = DECISION_SHAPES.map((shape) => decisionResult(shape, effort));
  for (const { name, ratio } of decisions) say(`${name}: ${ratio.toFixed(1)}`);
  return { bytes: larger, names: effort.names, ordinary: ordinary.cpu, payloads, decisions };
}

async function cpuOf(shape: Shape, bytes: number, { runs, patience }: HostileEffort): Promise<Outcome> {
  const enforcing = new Enforcing(shape.request(bytes));
  let least = await enforcing.run();
  for (let run = 1; run < runs && least.cpu < patience; run++) {
    globalThis.gc?.({ type: 'minor' });
    // oxlint-disable-next-line no-await-in-loop -- one at a time is what a measurement is
    const next = await enforcing.run();
    if (next.cpu < least.cpu) least = next;
  }
  return least;
}

const FRAME = { isJsonNamed: true, rootWord: undefined };

function decisionResult(shape: DecisionShape, effort: HostileEffort): HostileResult['decisions'][number] {
  const { decision, entries, names } = shape.make(effort.names);
  const bytes = Buffer.from(JSON.stringify(decision));
  const allowed = (entries * PER_ENTRY + names * PER_NAME) / 1000;
  let cpu = Infinity;
  for (let run = 0; run < effort.runs && (run === 0 || cpu < effort.patience); run++) {
    const before = process.cpuUsage();
    new Plans().compile(decisionFrom(bytes, SETTINGS), SETTINGS, FRAME);
    const { user, system } = process.cpuUsage(before);
    cpu = Math.min(cpu, (user + system) / 1000);
  }
  return { name: shape.name, cpu, ratio: cpu / allowed };
}
