import type { Worker } from 'node:cluster';
import process from 'node:process';
import { describeFailure } from './failure.ts';
import { createProgram } from './program.ts';
import { followSignals } from './signals.ts';
import { followPrimary } from './workers/worker.ts';

/** The modules that make processes work together take time to load, and only a process with a channel can be a worker. */
function ownWorker(): Worker | undefined {
  return process.send && process.getBuiltinModule('node:cluster').worker;
}

/** Runs the command line. It handles signals and orders from the first moment, long before it serves anything. */
export async function run(): Promise<void> {
  const worker = ownWorker();
  const program = createProgram({
    print: (line) => process.stdout.write(`${line}\n`),
    run: worker === undefined ? followSignals() : followPrimary(),
  });
  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
    // The channel to the primary process would keep a worker alive.
    worker?.disconnect();
  }
}
