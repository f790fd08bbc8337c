import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { stringify } from 'yaml';
import { stopLater } from '../pdp/transport/setup.ts';
import { eventually } from '../support/eventually.ts';
import { folderWith } from '../support/folder.ts';
import type { Instruction, Measurement } from './instructions.ts';
import { PROGRAM } from '../support/program.ts';

const INSTRUMENTS = path.resolve('tests/faults/instruments.ts');

interface Options {
  /** Where standard output goes: a file descriptor, or a pipe. */
  readonly stdout?: number | 'pipe';
  readonly args?: readonly string[];
  /** Variables of its environment, in addition to those of the test. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The service as a process of its own, which a test may measure and disturb. `closeAll` kills it. */
export interface ServiceProcess {
  readonly port: number;
  readonly child: ChildProcess;
  /** Sets its clock where asked to, and measures it. */
  readonly instruct: (instruction?: Instruction) => Promise<Measurement>;
}

/** Starts the service from what an operator would write, and waits until it listens. */
export async function startServiceProcess(
  written: Readonly<Record<string, unknown>>,
  { stdout = 'pipe', args = [], env = {} }: Options = {},
): Promise<ServiceProcess> {
  const folder = await folderWith({ 'config.yaml': stringify({ port: 0, host: '127.0.0.1', ...written }) });
  const ready = path.join(folder, 'ready');
  const child = fork(PROGRAM, ['-c', path.join(folder, 'config.yaml'), '--ready-file', ready, ...args], {
    execPath: process.execPath,
    env: { ...process.env, ...env },
    execArgv: ['--import', INSTRUMENTS],
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
  });
  stopLater(() => killed(child));
  await eventually(async () => child.exitCode !== null || (await portIn(ready)) !== undefined);
  const port = await portIn(ready);
  if (port === undefined) throw new Error('the service did not start');
  return { port, child, instruct: (instruction = {}) => instructed(child, instruction) };
}

/** Ends the process at once, where it still runs. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function portIn(readyFile: string): Promise<number | undefined> {
  const text = await readFile(readyFile, 'utf8').catch(() => '');
  return text.endsWith('\n') ? Number(new URL(text.trim()).port) : undefined;
}

async function instructed(child: ChildProcess, instruction: Instruction): Promise<Measurement> {
  const { promise, resolve } = Promise.withResolvers<Measurement>();
  child.once('message', (measurement: Measurement) => resolve(measurement));
  child.send(instruction);
  return promise;
}
