import { performance } from 'node:perf_hooks';
import { expect, test } from '@jest/globals';
import { Enforcing } from '../../bench/hostile/enforcing.ts';
import { ORDINARY } from '../../bench/hostile/payload-shapes.ts';
import { decisionOf, payloadOf } from '../../bench/hostile/random-request.ts';
import { costOfReading, readingOf } from '../../bench/hostile/readers.ts';
import { search, type Costly, type Genome } from '../../bench/hostile/search.ts';
import { SECONDS, TIME_LIMIT } from './time.ts';

/** The payloads of the search, in bytes: large enough for what grows faster than it should to show. */
const BYTES = 400_000;
/** The rules of the search among decisions. */
const RULES = 1000;
const SHOWN = 3;
/** How much of a payload and of a decision is shown, in characters. */
const SHOWN_OF_EACH = 300;
/** How often the ordinary request is measured; the least counts. */
const RUNS = 10;

/** What may come of any request. */
const REFUSALS: ReadonlySet<string> = new Set([
  'answer-too-large',
  'asset-id-not-found',
  'decision-not-understood',
  'enforcement-too-costly',
  'request-invalid',
  'root-not-found',
]);

const ofPayload = (genome: Genome) => payloadOf(genome, BYTES);
const ofRules = (genome: Genome) => decisionOf(genome, RULES);

test.each([
  [`payloads of ${BYTES} bytes`, ofPayload, 'cpu'],
  [`decisions of ${RULES} rules`, ofRules, 'cpu'],
  [`payloads of ${BYTES} bytes between two pauses`, ofPayload, 'longest'],
] as const)(
  '%s that are made to cost much are enforced or refused; the costliest are shown',
  async (what, requestOf, cost) => {
    const end = performance.now() + SECONDS * 0.1 * 1000;
    const enforced = async (genome: Genome) => {
      const outcome = await new Enforcing(requestOf(genome)).run();
      return { ...outcome, cpu: outcome[cost] };
    };
    const costliest = await search(enforced, Math.random, () => performance.now() < end);
    const answers = costliest.map(({ answer }) => answer);
    expect(answers.filter((answer) => typeof answer === 'string' && !REFUSALS.has(answer))).toEqual([]);
    await show(what, costliest, (genome) => {
      const { payload, parameters, decision } = requestOf(genome);
      return [payload, JSON.stringify(parameters), JSON.stringify(decision)];
    });
  },
  TIME_LIMIT,
);

test(
  'what else others choose is read or refused; the costliest is shown',
  async () => {
    const end = performance.now() + SECONDS * 0.1 * 1000;
    // An error that is no refusal ends the search.
    const costliest = await search(read, Math.random, () => performance.now() < end);
    expect(costliest.length).toBeGreaterThan(0);
    await show(`texts of ${BYTES} bytes`, costliest, (genome) => {
      const { reader, text } = readingOf(genome, BYTES);
      return [reader.name, text];
    });
  },
  TIME_LIMIT,
);

function read(genome: Genome) {
  return costOfReading(genome, BYTES);
}

async function show(
  what: string,
  costliest: readonly Costly[],
  partsOf: (genome: Genome) => readonly string[],
): Promise<void> {
  const ordinary = await costOfOrdinary();
  const shown = costliest
    .slice(0, SHOWN)
    .map(({ cpu, genome }) =>
      [
        `${cpu.toFixed(1)} ms, ${(cpu / ordinary).toFixed(0)} times: ${JSON.stringify(genome)}`,
        ...partsOf(genome).map((part) => `  ${part.slice(0, SHOWN_OF_EACH)}`),
      ].join('\n'),
    );
  process.stdout.write(
    `The costliest ${what}, by ${BYTES} bytes of ordinary records in ${ordinary.toFixed(1)} ms:\n${shown.join('\n')}\n`,
  );
}

/** @returns the processor time of ordinary records of that size, in milliseconds */
async function costOfOrdinary(): Promise<number> {
  const enforcing = new Enforcing(ORDINARY.request(BYTES));
  let least = Infinity;
  for (let run = 0; run < RUNS; run++) {
    // oxlint-disable-next-line no-await-in-loop -- one at a time is what a measurement is
    const { cpu } = await enforcing.run();
    least = Math.min(least, cpu);
  }
  return least;
}
