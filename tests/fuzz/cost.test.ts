import { performance } from 'node:perf_hooks';
import { expect, test } from '@jest/globals';
import { search } from '../../bench/hostile/search.ts';
import { SECONDS, TIME_LIMIT } from './time.ts';

/** The payloads of the search, in bytes: large enough for what grows faster than it should to show. */
const BYTES = 40_000;
const SHOWN = 3;

/** What may come of any request. */
const REFUSALS: ReadonlySet<string> = new Set([
  'answer-too-large',
  'asset-id-not-found',
  'decision-not-understood',
  'request-invalid',
  'root-not-found',
]);

test(
  'requests that are made to cost much are enforced or refused; the costliest are shown',
  async () => {
    const end = performance.now() + SECONDS * 0.2 * 1000;
    const costliest = await search(BYTES, Math.random, () => performance.now() < end);
    const answers = costliest.map(({ answer }) => answer);
    expect(answers.filter((answer) => typeof answer === 'string' && !REFUSALS.has(answer))).toEqual([]);
    const lines = costliest
      .slice(0, SHOWN)
      .map(({ cpu, genome }) => `${cpu.toFixed(1)} ms: ${JSON.stringify(genome)}`);
    process.stdout.write(`The costliest of ${BYTES} bytes:\n${lines.join('\n')}\n`);
  },
  TIME_LIMIT,
);
