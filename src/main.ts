#!/usr/bin/env node
import cluster from 'node:cluster';
import process from 'node:process';
import { describeFailure } from './process/failure.ts';
import { createProgram } from './process/program.ts';
import type { Running } from './process/running.ts';
import { followPrimary } from './process/workers/worker.ts';

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

/**
 * The first signal to end stops in order, a second Ctrl-C at once; what stops services may well ask twice. A hang-up is how
 * log rotation says that it is done; SIGUSR2 has everything logged, and the next one only what is configured again.
 */
function followSignals(running: Running): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping && signal === 'SIGINT') process.exit(1);
    if (isStopping) return;
    isStopping = true;
    void running.stop(signal).then((isFinished) => process.exit(isFinished ? 0 : 1));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (running.reopenLog) process.on('SIGHUP', () => void running.reopenLog?.());
  let isDebugging = false;
  process.on('SIGUSR2', () => {
    isDebugging = !isDebugging;
    running.setDebug?.(isDebugging);
  });
}
