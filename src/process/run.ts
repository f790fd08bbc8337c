import type { Worker } from 'node:cluster';
import process from 'node:process';
import { describeFailure } from './failure.ts';
import { createProgram } from './program.ts';
import { followSignals } from './signals.ts';
import { standardOutput } from './standard-files.ts';
import { followPrimary } from './workers/worker.ts';

/** The modules that make processes work together take time to load, and only a process with a channel can be a worker. */
function ownWorker(): Worker | undefined {
  return process.send && process.getBuiltinModule('node:cluster').worker;
}

/** Prints a line. */
function print(line: string): void {
  const text = Buffer.from(`${line}\n`);
  const rest = text.subarray(standardOutput.writeNow(text));
  if (rest.length > 0) standardOutput.open().write(rest);
}

/** Runs the command line. It handles signals and orders from the first moment, long before it serves anything. */
export async function run(): Promise<void> {
  const worker = ownWorker();
  const program = createProgram({
    print,
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
