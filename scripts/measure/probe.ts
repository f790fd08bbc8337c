import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const PAUSE = 20;

const isOwnProcess = process.argv[1] === fileURLToPath(import.meta.url);

/**
 * Asks for the health again and again, as an orchestrator would: over a new connection each time, and from a process of its
 * own, so that what the callers do is not taken for the service's doing.
 *
 * @param milliseconds for how long
 * @returns how long each answer took, in milliseconds
 */
export async function probeFor(milliseconds: number, port: number): Promise<readonly number[]> {
  const child = fork(fileURLToPath(import.meta.url), [String(milliseconds), String(port)]);
  const [times]: unknown[] = await once(child, 'message');
  return z.array(z.number()).parse(times);
}

async function probeUntil(end: number, port: number): Promise<readonly number[]> {
  if (performance.now() >= end) return [];
  const time = await probe(port);
  await wait(PAUSE);
  return [time, ...(await probeUntil(end, port))];
}

async function probe(port: number): Promise<number> {
  const start = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const url = `http://127.0.0.1:${port}/health/readiness`;
  get(url, { agent: false }, resolve).once('error', reject);
  const answer = await promise;
  answer.resume();
  if (answer.statusCode !== 200) throw new Error(`readiness is ${answer.statusCode}`);
  return performance.now() - start;
}

if (isOwnProcess) {
  const [milliseconds = 0, port = 0] = process.argv.slice(2).map(Number);
  process.send?.(await probeUntil(performance.now() + milliseconds, port));
}
