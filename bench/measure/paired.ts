import type { Timed } from './contestant.ts';
import { median } from './statistics.ts';

/** How much is measured. */
export interface Effort {
  /** How long a contestant works without a pause, in milliseconds; at least once. */
  readonly batch: number;
  readonly rounds: { readonly least: number; readonly most: number };
  /** How long all rounds may take together, unless the least of them take longer. Milliseconds. */
  readonly budget: number;
  /** How long each contestant warms up, in milliseconds. */
  readonly warmUp: number;
}

/** What a contestant took for one piece of work, in milliseconds. */
export interface Timing {
  readonly name: string;
  readonly least: number;
  readonly median: number;
  /** The median of what the first contestant took, divided by what this one took in the same round. */
  readonly ratio: number;
}

/**
 * Times contestants in rounds. In each round all have their turn, close together, so that what disturbs the machine for longer
 * than a round disturbs them all; who begins changes from round to round.
 */
export async function measurePaired(contestants: readonly Timed[], effort: Effort): Promise<Timing[]> {
  const repeats = await inTurn(contestants, (contestant) => warmUp(contestant, effort));
  const rounds: (readonly number[])[] = [];
  const start = performance.now();
  const isEnough = (): boolean =>
    rounds.length >= effort.rounds.most ||
    (rounds.length >= effort.rounds.least && performance.now() - start > effort.budget);
  while (!isEnough()) {
    // oxlint-disable-next-line no-await-in-loop -- one at a time is what a measurement is
    rounds.push(await runRound(contestants, repeats, rounds.length));
  }
  return contestants.map(({ name }, index) => timingOf(name, index, rounds));
}

/** Yields how many times the work is done in a batch. */
async function warmUp(contestant: Timed, { warmUp: least, batch }: Effort): Promise<number> {
  let spent = 0;
  let once = Infinity;
  for (let times = 1; spent < least || times < 4; times *= 2) {
    // oxlint-disable-next-line no-await-in-loop -- one at a time is what a measurement is
    const took = await contestant.time(times);
    spent += took;
    once = took / times;
    if (once > least) break;
  }
  return Math.max(1, Math.round(batch / once));
}

async function runRound(
  contestants: readonly Timed[],
  repeats: readonly number[],
  round: number,
): Promise<readonly number[]> {
  const took: number[] = contestants.map(() => 0);
  const first = round % contestants.length;
  const indexes = [...contestants.keys()];
  await inTurn([...indexes.slice(first), ...indexes.slice(0, first)], async (index) => {
    const times = repeats[index] ?? 1;
    // Nobody pays for what another left behind. A full collection would throw away optimized code as well.
    globalThis.gc?.({ type: 'minor' });
    took[index] = ((await contestants[index]?.time(times)) ?? 0) / times;
  });
  return took;
}

function timingOf(name: string, index: number, rounds: readonly (readonly number[])[]): Timing {
  const times = rounds.map((round) => round[index] ?? 0);
  const ratios = rounds.map((round) => (round[0] ?? 0) / (round[index] ?? 0));
  return { name, least: Math.min(...times), median: median(times), ratio: median(ratios) };
}

/** Does something with each item, one after the other. */
export async function inTurn<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other is what it is for
  for (const item of items) results.push(await act(item));
  return results;
}
