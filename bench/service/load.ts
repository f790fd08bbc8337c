/**
 * Loads a service as its parent says, in a process of its own: `node bench/service/load.ts`. Each task is answered with what
 * came of it (`task.ts`).
 */
import { Client, type Dispatcher } from 'undici';
import { percentile } from '../measure/statistics.ts';
import { exchange } from './exchange.ts';
import { requestFor } from './request.ts';
import { loadTask, type Load, type LoadTask } from './task.ts';

/** When answers count, on the clock of `performance.now()`. */
interface Period {
  start: number;
  end: number;
}

async function load(task: LoadTask): Promise<Load> {
  const callers = Array.from({ length: task.concurrency }, () => new Client(`http://127.0.0.1:${task.port}`));
  const request = requestFor(task.source, task.bytes);
  const period: Period = { start: Infinity, end: Infinity };
  let waiting = callers.length;
  const onFirst = (): void => {
    waiting--;
    if (waiting > 0) return;
    period.start = performance.now();
    period.end = period.start + task.milliseconds;
  };
  const latencies = await Promise.all(
    callers.map((caller) => callUntilEnd(caller, request, task, period, onFirst)),
  );
  await Promise.all(callers.map((caller) => caller.close()));
  return summaryOf(latencies.flat(), task.milliseconds);
}

/** One caller, who asks again as soon as it is answered. Yields the latencies of what was answered within the period, or of what came next. */
async function callUntilEnd(
  caller: Client,
  request: Dispatcher.DispatchOptions,
  { expected }: LoadTask,
  period: Period,
  onFirst: () => void,
): Promise<readonly number[]> {
  const latencies: number[] = [];
  for (let isFirst = true; performance.now() < period.end || latencies.length === 0; isFirst = false) {
    const start = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- a closed loop asks again once it is answered
    await send(caller, request, expected);
    const end = performance.now();
    if (isFirst) onFirst();
    // However busy the machine is, each caller has an answer that counts.
    if (end >= period.start && (end < period.end || latencies.length === 0)) latencies.push(end - start);
  }
  return latencies;
}

async function send(caller: Client, request: Dispatcher.DispatchOptions, expected: number): Promise<void> {
  const { status, length } = await exchange(caller, request);
  if (status !== 200 || length !== expected) {
    throw new Error(`the service answered ${status} with ${length} bytes under load, and not ${expected}`);
  }
}

function summaryOf(latencies: readonly number[], milliseconds: number): Load {
  return {
    requestsPerSecond: latencies.length / (milliseconds / 1000),
    p50: percentile(latencies, 50),
    p90: percentile(latencies, 90),
    p99: percentile(latencies, 99),
  };
}

process.on('message', (message) => {
  void load(loadTask.parse(message)).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());
