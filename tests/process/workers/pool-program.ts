import cluster from 'node:cluster';
import { writeSync } from 'node:fs';
import process from 'node:process';
import { createWorkerPool } from '../../../src/process/workers/worker-pool.ts';

/** A program that stops its pool when the only worker has died. It ends when nothing is left to do. */

const STANDARD_OUTPUT = 1;

function say(line: string): void {
  writeSync(STANDARD_OUTPUT, `${line}\n`);
}

async function stopAfterDeath(): Promise<void> {
  const log = { error: say, warn: say, info: say, debug: say, child: () => log, isLevelEnabled: () => true };
  const pool = createWorkerPool({ configSha256: undefined, drainTimeout: 0, log });
  await pool.start(1);
  await pool.stop();
  say('Stopped');
}

if (cluster.isPrimary) await stopAfterDeath();
else {
  say('Worker started');
  process.exit(1);
}
