import cluster from 'node:cluster';
import { EventEmitter, once } from 'node:events';
import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';
import { READY, STOP } from '../../../src/process/workers/orders.ts';
import { createWorkerPool } from '../../../src/process/workers/worker-pool.ts';

/**
 * A program that stops its pool when the only worker listens or has died, or listens again after it could not be started. It ends
 * when nothing is left to do.
 */

const STANDARD_OUTPUT = 1;
/** What the worker does: it dies at once, or stops in order, with a failure or never; or it is lost while no other can be started. */
const [, , conduct] = process.argv;

function say(line: string): void {
  writeSync(STANDARD_OUTPUT, `${line}\n`);
}

/** More than a process may have in a variable, so that none can be started. */
const TOO_LARGE = 'x'.repeat(1024 * 1024);

/** Has the worker die while no other can be started, and waits for the one that is started in the end. */
async function loseWorker(said: EventEmitter): Promise<void> {
  process.env['TOO_LARGE'] = TOO_LARGE;
  Object.values(cluster.workers ?? {}).forEach((worker) => worker?.process.kill());
  await once(said, 'Worker not started');
  delete process.env['TOO_LARGE'];
  await once(said, 'Worker listening');
}

async function startAndStop(): Promise<void> {
  const said = new EventEmitter();
  const note = (message: string): void => {
    say(message);
    said.emit(message);
  };
  const log = {
    error: note,
    warn: note,
    info: note,
    debug: note,
    child: () => log,
    isLevelEnabled: () => true,
  };
  const pool = createWorkerPool({ configSha256: undefined, drainTimeout: 0, log });
  await pool.start(1).all;
  say(pool.isListening ? 'Listening' : 'Not listening');
  if (conduct === 'is lost') await loseWorker(said);
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
