import cluster from 'node:cluster';
import process from 'node:process';
import { describeFailure } from './failure.ts';
import { createProgram } from './program.ts';
import { followSignals } from './signals.ts';
import { followPrimary } from './workers/worker.ts';

/** Runs the command line. It handles signals and orders from the first moment, long before it serves anything. */
export async function run(): Promise<void> {
  const program = createProgram({
    print: (line) => process.stdout.write(`${line}\n`),
    run: cluster.isPrimary ? followSignals() : followPrimary(),
  });
  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
    // The channel to the primary process would keep a worker alive.
    cluster.worker?.disconnect();
  }
}
