import { spawnSync } from 'node:child_process';

/** Runs a program to its end, and yields what it printed on standard output. Throws with what it said where it fails. */
export function run(program: string, args: readonly string[], cwd = '.'): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, maxBuffer: Infinity });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stderr.toString()}`);
  return stdout;
}
