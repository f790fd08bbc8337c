import process from 'node:process';
import { isSea } from 'node:sea';

/** What `cluster` has to run for a worker. */
interface Program {
  readonly exec: string;
  readonly args: readonly string[];
}

/** This very program, with the arguments that this process was started with. */
export function ownProgram(): Program {
  const [, script = '', ...args] = process.argv;
  if (!isSea()) return { exec: script, args };
  // A single executable has no script: what stands in the place of one is its first argument.
  const [first = '', ...others] = args;
  return { exec: first, args: others };
}
