import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { ensurePythonProgram, findPythonProgram, type PythonProgram } from './python.ts';

const PACKAGE: PythonProgram = {
  folder: '.tools/envoy',
  requirements: 'tests/places/ext-proc/requirements.txt',
  name: 'envoy',
};

/** @returns the path of Envoy's own binary; undefined if it is not installed */
export function findEnvoy(): string | undefined {
  return findPythonProgram(PACKAGE) && binaryIn(path.resolve(PACKAGE.folder, 'lib'));
}

/** Installs Envoy if it is not there. @returns the path of its own binary; undefined if it cannot be installed */
export function ensureEnvoy(): string | undefined {
  return ensurePythonProgram(PACKAGE) && findEnvoy();
}

/** The program that pip installs starts this one with Python, which would be a process more to stop. */
function binaryIn(lib: string): string | undefined {
  const binaries = readdirSync(lib).map((python) => path.join(lib, python, 'site-packages/envoy/_bin/envoy'));
  return binaries.find((file) => existsSync(file));
}

/** An Envoy on loopback, as a process. */
export interface Envoy {
  /** Of its first listener. */
  readonly port: number;
  /** What its administration answers on a path. */
  admin(path: string): Promise<string>;
  stop(): Promise<void>;
}

const START_TIMEOUT = 60_000;

/** @param config YAML or JSON, with its administration on any free port */
export async function startEnvoy(program: string, config: string): Promise<Envoy> {
  const folder = mkdtempSync(path.join(tmpdir(), 'envoy-'));
  const file = path.join(folder, 'envoy.yaml');
  const addressFile = path.join(folder, 'admin');
  writeFileSync(file, config);
  const options = ['--disable-hot-restart', '--concurrency', '1', '--log-level', 'error'];
  const child = spawn(program, ['-c', file, '--admin-address-path', addressFile, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const admin = (pathname: string): Promise<string> => adminAnswer(addressFile, pathname);
  try {
    await ready(child, admin);
    return { port: await listenerPort(admin), admin, stop };
  } catch (error) {
    await stop();
    throw new Error(`Envoy did not start: ${Buffer.concat(output).toString()}`, { cause: error });
  }
}

async function adminAnswer(addressFile: string, pathname: string): Promise<string> {
  const response = await fetch(`http://${readFileSync(addressFile, 'utf8').trim()}${pathname}`);
  return response.text();
}

async function ready(child: ChildProcess, admin: Envoy['admin']): Promise<void> {
  const end = Date.now() + START_TIMEOUT;
  while (Date.now() < end && child.exitCode === null) {
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    const answer = await admin('/ready').catch(() => '');
    if (answer.trim() === 'LIVE') return;
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    await wait(50);
  }
  throw new Error('It is not ready.');
}

const listeners = z.object({
  listener_statuses: z.array(
    z.object({ local_address: z.object({ socket_address: z.object({ port_value: z.number() }) }) }),
  ),
});

async function listenerPort(admin: Envoy['admin']): Promise<number> {
  const { listener_statuses: statuses } = listeners.parse(JSON.parse(await admin('/listeners?format=json')));
  const port = statuses[0]?.local_address.socket_address.port_value;
  if (port === undefined) throw new Error('It has no listener.');
  return port;
}
