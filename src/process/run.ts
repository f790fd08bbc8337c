import type { Worker } from 'node:cluster';
import { writeSync } from 'node:fs';
import process from 'node:process';
import { describeFailure } from './failure.ts';
import { createProgram } from './program.ts';
import { followSignals } from './signals.ts';
import { followPrimary } from './workers/worker.ts';

/** The modules that make processes work together take time to load, and only a process with a channel can be a worker. */
function ownWorker(): Worker | undefined {
  return process.send && process.getBuiltinModule('node:cluster').worker;
}

const STANDARD_OUTPUT = 1;

/** Prints a line without the stream of standard output, which takes longer to load than a short command runs. */
function print(line: string): void {
  const text = Buffer.from(`${line}\n`);
  const rest = text.subarray(written(text));
  if (rest.length > 0) process.stdout.write(rest);
}

/** Writes what standard output takes at once. If that fails, the stream says why. */
function written(text: Buffer): number {
  try {
    return writeSync(STANDARD_OUTPUT, text);
  } catch {
    return 0;
  }
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
