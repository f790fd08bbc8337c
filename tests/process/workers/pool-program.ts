import cluster from 'node:cluster';
import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';
import { READY, STOP } from '../../../src/process/workers/orders.ts';
import { createWorkerPool } from '../../../src/process/workers/worker-pool.ts';

/** A program that stops its pool when the only worker listens or has died. It ends when nothing is left to do. */

const STANDARD_OUTPUT = 1;
/** What the worker does: it dies at once, or stops in order, with a failure or never. */
const [, , conduct] = process.argv;

function say(line: string): void {
  writeSync(STANDARD_OUTPUT, `${line}\n`);
}

async function startAndStop(): Promise<void> {
  const log = { error: say, warn: say, info: say, debug: say, child: () => log, isLevelEnabled: () => true };
  const pool = createWorkerPool({ configSha256: undefined, drainTimeout: 0, log });
  await pool.start(1);
  say(pool.isListening ? 'Listening' : 'Not listening');
  const isFinished = await pool.stop();
  say(isFinished ? 'Stopped' : 'Cut off');
  say(pool.isListening ? 'Listening' : 'Not listening');
}

function work(): void {
  say('Worker started');
  if (conduct === 'dies') process.exit(1);
  createServer().listen(0, '127.0.0.1', () => process.send?.(READY));
  process.on('message', (order) => {
    if (order === STOP && conduct !== 'hangs') process.exit(conduct === 'fails' ? 1 : 0);
  });
}

if (cluster.isPrimary) await startAndStop();
else work();
