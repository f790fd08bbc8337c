import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** A script of the project, running. */
interface Script {
  readonly child: ChildProcess;
  /** What it printed so far. */
  readonly printed: () => string;
  /** Waits until it has printed a text; a script that ends without it is not waited for. */
  readonly prints: (expected: string) => Promise<void>;
  readonly ended: Promise<Outcome>;
}

interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a script of `scripts/`, with variables added to the environment. */
export function startScript(name: string, variables: NodeJS.ProcessEnv = {}): Script {
  const child = spawn(process.execPath, [path.join('scripts', name)], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const ended = Promise.all([text(child.stderr), once(child, 'close')]).then(([stderr]) => ({
    exitCode: child.exitCode,
    stdout: printed,
    stderr,
  }));
  const prints = (expected: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (printed.includes(expected)) resolve();
      };
      child.stdout.on('data', look).once('close', () => resolve());
      look();
    });
  return { child, printed: () => printed, prints, ended };
}

/** Runs a script to its end. */
export function runScript(name: string, variables?: NodeJS.ProcessEnv): Promise<Outcome> {
  return startScript(name, variables).ended;
}
