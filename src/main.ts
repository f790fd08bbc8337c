#!/usr/bin/env node
import cluster from 'node:cluster';
import process from 'node:process';
import { describeFailure } from './cli/failure.ts';
import { createProgram } from './cli/program.ts';
import type { Running } from './cli/running.ts';
import { followPrimary } from './cluster/worker.ts';

const program = createProgram({
  print: (line) => process.stdout.write(`${line}\n`),
  run: cluster.isPrimary ? followSignals : followPrimary,
});

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}

/** The first signal stops in order, a second Ctrl-C at once. A hang-up is how log rotation says that it is done. */
function followSignals(running: Running): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping && signal === 'SIGINT') process.exit(1);
    if (stopping) return;
    stopping = true;
    void running.stop(signal).then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (running.reopenLog) process.on('SIGHUP', () => void running.reopenLog?.());
}
