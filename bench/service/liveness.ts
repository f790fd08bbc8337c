import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'undici';
import { percentile } from '../measure/statistics.ts';
import { exchange } from './exchange.ts';
import type { Latencies } from './task.ts';

const PAUSE = 10;

/**
 * Asks for the liveness again and again while something is under way. Runs in the process of the benchmark, which has nothing
 * else to do meanwhile.
 */
export async function livenessDuring(work: Promise<unknown>, port: number): Promise<Latencies> {
  const client = new Client(`http://127.0.0.1:${port}`);
  const times: number[] = [];
  const isOver = work.then(
    () => true,
    () => true,
  );
  do {
    // oxlint-disable-next-line no-await-in-loop -- one probe after the other
    times.push(await probe(client));
    // oxlint-disable-next-line no-await-in-loop -- one probe after the other
  } while (!(await Promise.race([isOver, wait(PAUSE, false)])));
  await client.close();
  return { p50: percentile(times, 50), p90: percentile(times, 90), p99: percentile(times, 99) };
}

async function probe(client: Client): Promise<number> {
  const start = performance.now();
  const { status } = await exchange(client, { method: 'GET', path: '/health/liveness' });
  if (status !== 200) throw new Error(`the liveness is ${status}`);
  return performance.now() - start;
}
