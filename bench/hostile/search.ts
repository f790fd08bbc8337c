import type { Outcome } from './enforcing.ts';

/** Something as a list of numbers, each of which chooses one thing: so that any change to it is something as well. */
export type Genome = readonly number[];

const GENES = 40;

/** Reads a genome from its beginning, and again once it is read. */
export class Reader {
  private readonly genome: Genome;
  private at = 0;

  constructor(genome: Genome) {
    this.genome = genome;
  }

  mark(): number {
    return this.at;
  }

  reset(at: number): void {
    this.at = at;
  }

  number(below: number): number {
    return (this.genome[this.at++ % this.genome.length] ?? 0) % below;
  }

  one<T>(of: readonly [T, ...(readonly T[])] | readonly T[], fallback: T): T {
    return of[this.number(of.length)] ?? fallback;
  }
}

function randomGenome(random: () => number): Genome {
  return Array.from({ length: GENES }, () => Math.floor(random() * 1000));
}

/** The same with one number or a few changed. */
function mutated(genome: Genome, random: () => number): Genome {
  const changes = 1 + Math.floor(random() * 3);
  const next = [...genome];
  for (let change = 0; change < changes; change++)
    next[Math.floor(random() * next.length)] = Math.floor(random() * 1000);
  return next;
}

/** A genome and what it cost. */
export interface Costly extends Outcome {
  readonly genome: Genome;
}

/** How many of the costliest are kept, to be changed further. */
const KEPT = 12;

/**
 * Looks for what costs much: random genomes at first, then changes of the costliest.
 *
 * @param run makes of a genome what it stands for, and measures it
 * @param goesOn asked before each
 * @param random yields numbers from 0 to 1
 * @returns the costliest, the first one before all
 */
export async function search(
  run: (genome: Genome) => Promise<Outcome>,
  random: () => number,
  goesOn: () => boolean,
): Promise<readonly Costly[]> {
  let kept: readonly Costly[] = [];
  while (goesOn()) {
    const parent = kept[Math.floor(random() * kept.length * 2)];
    const genome = parent ? mutated(parent.genome, random) : randomGenome(random);
    // oxlint-disable-next-line no-await-in-loop -- one at a time is what a measurement is
    const outcome = await run(genome);
    kept = [...kept, { genome, ...outcome }].toSorted((a, b) => b.cpu - a.cpu).slice(0, KEPT);
  }
  return kept;
}
