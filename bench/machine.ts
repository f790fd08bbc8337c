import { availableParallelism, cpus, totalmem, type } from 'node:os';
import type { Machine } from './report/results.ts';

const BYTES_PER_GB = 1024 ** 3;

/** What the results depend on, and nothing that says whose machine it is. */
export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    memory: Math.round(totalmem() / BYTES_PER_GB),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    system: type(),
    node: process.version.slice(1),
  };
}
