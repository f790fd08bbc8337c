import type { Worker } from 'node:cluster';
import process from 'node:process';
import type { Writable } from 'node:stream';
import { toErrno } from './errno.ts';
import { describeFailure } from './failure.ts';
import { createProgram } from './program.ts';
import { followSignals } from './signals.ts';
import { OutputFailure, standardOutput } from './standard-files.ts';
import { followPrimary } from './workers/worker.ts';

/** The modules that make processes work together take time to load, and only a process with a channel can be a worker. */
function ownWorker(): Worker | undefined {
  return process.send && process.getBuiltinModule('node:cluster').worker;
}

/** Prints a line, unless the reader has gone. @throws OutputFailure */
function print(line: string): void {
  const text = Buffer.from(`${line}\n`);
  // What waits in the stream comes first.
  const rest = opened ? text : text.subarray(standardOutput.writeNow(text));
  if (rest.length > 0) streamOfLines().write(rest);
}

let opened: Writable | undefined;

/** Standard output as a stream, whose reader may go. */
function streamOfLines(): Writable {
  return (opened ??= standardOutput.open().on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') void fail(standardOutput.failure(error));
  }));
}

/** Says why the process ends. */
async function fail(error: unknown): Promise<void> {
  process.exitCode = 1;
  const why = error instanceof OutputFailure ? await whyNotWritten(error) : describeFailure(error);
  process.stderr.write(`${await printable(why)}\n`);
}

/** Lines in which no name of a file and no reason of a PDP writes to the terminal. */
async function printable(lines: string): Promise<string> {
  const { escapeUnprintable } = await import('../telemetry/log/index.ts');
  return lines.split('\n').map(escapeUnprintable).join('\n');
}

async function whyNotWritten({ cause }: OutputFailure): Promise<string> {
  const { whyUnwritable } = await import('../files/index.ts');
  const code = toErrno(cause).code ?? 'unknown';
  return `Standard output cannot be written: ${whyUnwritable(cause)} (${code}).`;
}

/** Runs the command line. It handles signals and orders from the first moment, long before it serves anything. */
export async function run(): Promise<void> {
  const worker = ownWorker();
  const program = createProgram({
    print,
    ...(worker === undefined ? followSignals() : { logToFile: () => undefined, run: followPrimary() }),
  });
  try {
    await program.parseAsync();
  } catch (error) {
    await fail(error);
    // The channel to the primary process would keep a worker alive.
    worker?.disconnect();
  }
}
