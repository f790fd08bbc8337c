import { performance } from 'node:perf_hooks';
import process from 'node:process';
import * as fc from 'fast-check';

/** How long fuzzing goes on in all. More by hand: `make fuzz SECONDS=600`. */
export const SECONDS = Number(process.env['SECONDS'] || 12);

/** The first seed, so that the same commit tries the same. Others by hand: `make fuzz SECONDS=600 SEED=7`. */
const SEED = Number(process.env['SEED'] || 1);

/** How many runs there are between two looks at the clock. */
const RUNS = 25;

/** Asserts a property again and again for a part of the time. A failure prints the seed to find it again. */
export async function fuzz<T>(part: number, property: fc.IAsyncProperty<T>): Promise<void> {
  const end = performance.now() + SECONDS * part * 1000;
  for (let seed = SEED; performance.now() < end; seed++) {
    // oxlint-disable-next-line no-await-in-loop -- nothing of a run may go on when the next begins
    await fc.assert(property, { numRuns: RUNS, seed });
  }
}

/** How long jest is to wait for it, in milliseconds. */
export const TIME_LIMIT = (SECONDS + 60) * 1000;
