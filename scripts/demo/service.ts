import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { writeConfiguration, type Choice, type Whole } from './configuration.ts';
import { DemoFailure } from './failure.ts';

const MAIN = path.resolve(import.meta.dirname, '../../dist/main.js');
/** The entry that tells that the service listens, in either log format, and its port. */
const LISTENING = /\bListening\b.*\bport"?[=:](\d+)/u;

type StartOptions = (Choice | Whole) & {
  /** Is given each line of the service's log as it comes. */
  readonly onLine: (line: string) => void;
};

/** The service as a process of its own, on the sample configuration. A signal to this process stops it. */
export interface Service {
  readonly port: number;
  /** Resolves when the process has ended, to its exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<number | null>;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Starts the service as it was built, and waits until it answers.
 *
 * @throws DemoFailure where it is not built or does not start, with what it says of the reason
 */
export async function startService({ onLine, ...choice }: StartOptions): Promise<Service> {
  if (!existsSync(MAIN)) throw new DemoFailure('The service is not built yet: run `npm run build` first.');
  const folder = await mkdtemp(path.join(tmpdir(), 'authz-jsonmasking-'));
  // A group of its own, so that Ctrl-C reaches it once: from here.
  const child = spawn(process.execPath, [MAIN, '-c', await writeConfiguration(folder, choice)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close').then(async () => {
    await rm(folder, { recursive: true, force: true });
    return child.exitCode;
  });
  const stop = (): Promise<number | null> => {
    child.kill('SIGINT');
    return ended;
  };
  // Nobody may read on, as with `make demo | head`.
  process.stdout.once('error', () => process.exit(1));
  process.once('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop());
  const port = await listeningPort(child, ended, onLine);
  // It may still be about to take signals when it says that it listens; once it answers, it does.
  await fetch(`http://127.0.0.1:${port}/health/liveness`);
  return { port, ended, stop };
}

function listeningPort(
  child: Child,
  ended: Promise<unknown>,
  onLine: (line: string) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      onLine(line);
      const [, port] = LISTENING.exec(line) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
    void Promise.all([text(child.stderr), ended]).then(([reason]) =>
      reject(new DemoFailure(`The service did not start. ${reason.trim()}`)),
    );
  });
}
