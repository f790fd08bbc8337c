import { KB, MB } from './core/cases.ts';
import type { DecisionsEffort } from './decisions/part.ts';
import type { FootprintEffort } from './footprint/part.ts';
import type { HostileEffort } from './hostile/part.ts';
import type { Effort } from './measure/paired.ts';
import type { PlacesEffort } from './places/part.ts';
import type { ServiceEffort } from './service/part.ts';
import type { SizingEffort } from './sizing/part.ts';

/** How much is measured. */
export interface Scale {
  readonly effort: Effort;
  /** The largest payload in this process, in bytes. */
  readonly largest: number;
  readonly service: ServiceEffort;
  readonly decisions: DecisionsEffort;
  /** The service with each protocol of a PDP. */
  readonly protocols: ServiceEffort;
  readonly places: PlacesEffort;
  readonly footprint: FootprintEffort;
  readonly hostile: HostileEffort;
  readonly sizing: SizingEffort;
  /** What of the service is started. */
  readonly entry: string;
}

/** What the report is made of: about twenty minutes. */
export const FULL: Scale = {
  effort: { batch: 30, rounds: { least: 9, most: 21 }, budget: 2000, warmUp: 400 },
  largest: 40 * MB,
  service: { kilobytes: [1, 20, 400], concurrencies: [1, 16, 128], rounds: 5, window: 1500, warmUp: 2000 },
  decisions: { concurrency: 16, rounds: 3, duration: 1500 },
  protocols: { kilobytes: [1, 20], concurrencies: [16], rounds: 15, window: 1500, warmUp: 2000 },
  places: {
    effort: { kilobytes: [1, 20, 400], concurrencies: [16], rounds: 7, window: 1500, warmUp: 2000 },
    processor: { kilobytes: [1, 20, 400], concurrencies: [1, 16], rounds: 3, window: 1500, warmUp: 2000 },
    streams: 1000 * MB,
  },
  footprint: {
    starts: 7,
    commands: 5,
    repeats: 5,
    loads: [
      { kilobytes: 400, concurrency: 128 },
      { kilobytes: 4000, concurrency: 16 },
    ],
    duration: 4000,
  },
  hostile: { sizes: [400 * KB, 4 * MB], names: 5000, runs: 5, patience: 2000, oneOf: 1 },
  sizing: { kilobytes: [1, 20, 400], concurrency: 32, duration: 4000 },
  entry: 'dist/main.js',
};

/** Shows that everything runs and that all answer alike; its numbers mean nothing. Needs nothing built. */
export const QUICK: Scale = {
  effort: { batch: 1, rounds: { least: 3, most: 3 }, budget: 0, warmUp: 1 },
  largest: 20 * KB,
  service: { kilobytes: [1], concurrencies: [1, 4], rounds: 1, window: 100, warmUp: 50 },
  decisions: { concurrency: 4, rounds: 1, duration: 100 },
  protocols: { kilobytes: [1], concurrencies: [4], rounds: 1, window: 100, warmUp: 50 },
  places: {
    effort: { kilobytes: [1], concurrencies: [4], rounds: 1, window: 100, warmUp: 50 },
    processor: { kilobytes: [1], concurrencies: [4], rounds: 1, window: 100, warmUp: 50 },
    streams: MB,
  },
  footprint: {
    starts: 1,
    commands: 1,
    repeats: 1,
    loads: [{ kilobytes: 20, concurrency: 4 }],
    duration: 100,
  },
  hostile: { sizes: [KB, 10 * KB], names: 100, runs: 1, patience: 50, oneOf: 8 },
  sizing: { kilobytes: [1], concurrency: 4, duration: 100 },
  entry: 'dist/main.js',
};
