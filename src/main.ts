#!/usr/bin/env node
import process from 'node:process';
import { describeFailure } from './cli/failure.ts';
import { createProgram } from './cli/program.ts';
import type { Running } from './cli/serve.ts';

const program = createProgram({ print: (line) => process.stdout.write(`${line}\n`), run: stopOnSignal });

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}

/** The first signal stops in order, a second one at once. */
function stopOnSignal(running: Running): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    void running.stop(signal).then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
