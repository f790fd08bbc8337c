import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { stopLater } from '../pdp/transport/setup.ts';
import { eventually } from './eventually.ts';
import { PROGRAM } from './program.ts';

/** What a process said and how it ended. */
interface Ended {
  /** The exit code; null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that serves. */
interface Serving {
  readonly port: number;
  /** Its log so far. */
  readonly logged: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Resolves when it has ended. */
  readonly ended: Promise<Ended>;
}

/** Runs the command line to its end. */
export function run(...args: readonly string[]): Promise<Ended> {
  return spawned(args).ended;
}

/** Runs the command line to its end, with a text on its standard input. */
export function runOn(input: string, ...args: readonly string[]): Promise<Ended> {
  return spawned(args, input).ended;
}

/** Starts the command line and waits until it listens. What still runs is killed by `closeAll`. */
export async function serving(...args: readonly string[]): Promise<Serving> {
  const { child, output, ended } = spawned(args);
  stopLater(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await Promise.race([eventually(() => portIn(output.stdout) !== undefined), ended]);
  const port = portIn(output.stdout);
  if (port === undefined) throw new Error(`it does not listen: ${output.stderr}`);
  return { port, logged: () => output.stdout, signal: (signal) => void child.kill(signal), ended };
}

/** A process that may not serve yet. */
interface Starting {
  /** Whether the kernel hands it SIGTERM instead of ending it. */
  readonly isFollowingSignals: () => Promise<boolean>;
  /** Its standard output so far. */
  readonly printed: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
}

/** Starts the command line and waits for nothing. */
export function starting(...args: readonly string[]): Starting {
  return startingAfter([], ...args);
}

/** The same, once the options of Node.js have had it do something else; its workers do so too. */
export function startingAfter(nodeOptions: readonly string[], ...args: readonly string[]): Starting {
  const { child, output, ended } = spawned(args, undefined, nodeOptions);
  stopLater(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    printed: () => output.stdout,
    isFollowingSignals: async () => isCaught(SIGHUP, await statusOf(child.pid ?? 0)),
    signal: (signal) => void child.kill(signal),
    ended,
  };
}

/** One that nothing but this program follows. */
const SIGHUP = 1;

function statusOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
}

function isCaught(signal: number, status: string): boolean {
  const mask = /^SigCgt:\s*([\da-f]+)$/mu.exec(status)?.[1] ?? '0';
  return (BigInt(`0x${mask}`) & (1n << BigInt(signal - 1))) !== 0n;
}

function spawned(args: readonly string[], input?: string, nodeOptions: readonly string[] = []) {
  const child = spawn(process.execPath, [...nodeOptions, PROGRAM, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A command that fails may end before it has read everything.
  child.stdin.on('error', () => undefined).end(input);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return { child, output, ended: endOf(child, output) };
}

async function endOf(
  child: ChildProcess,
  output: { readonly stdout: string; readonly stderr: string },
): Promise<Ended> {
  await once(child, 'close');
  return { code: child.exitCode, ...output };
}

function portIn(log: string): number | undefined {
  const port = /"message":"Listening".*"port":(\d+)/u.exec(log)?.[1];
  return port === undefined ? undefined : Number(port);
}
