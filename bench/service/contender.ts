import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import { SETTINGS } from '../core/core.ts';
import { portOf, startModule, stop } from './child.ts';

/** A server in a separate process. */
export interface Contender {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** False if it passes payloads as they are. */
  readonly masks: boolean;
  stop(): Promise<void>;
}

/** How often it is looked whether the service listens, in milliseconds. */
const LOOK_EVERY = 2;

/** What is configured besides the port and the PDP; other keys have their defaults, the log at `info` included. Nobody waits for the end. */
const CONFIGURATION = { attrName: SETTINGS.attrName, maxBody: 16, maxInFlightBody: 1024, drainDelay: 0 };

/** Starts the service. */
export interface ServiceOptions {
  readonly name: string;
  /** The program that runs: `dist/main.js`. */
  readonly entry: string;
  readonly pdpPort: number;
  readonly configuration?: object;
  /** A module that is loaded before the service and exchanges messages with this process: its address. */
  readonly preloaded?: string;
}

/** The service as a contender. */
export interface Service extends Contender {
  readonly child: ChildProcess;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
  const config = path.join(folder, 'config.yaml');
  const ready = path.join(folder, 'ready');
  const pdpUrl = `http://127.0.0.1:${options.pdpPort}`;
  const keys = { port: 0, host: '127.0.0.1', pdpUrl, ...CONFIGURATION, ...options.configuration };
  await writeFile(config, stringify(keys));
  const { preloaded } = options;
  const first = preloaded === undefined ? [] : ['--expose-gc', '--import', preloaded];
  const child = spawn(process.execPath, [...first, options.entry, '-c', config, '--ready-file', ready], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', ...(preloaded === undefined ? [] : ['ipc' as const])],
  });
  const end = async (): Promise<void> => {
    await stop(child);
    await rm(folder, { recursive: true });
  };
  return { ...contender(options.name, child, await portFrom(ready, child), end), child };
}

/** Starts what anyone would write by hand. */
export async function startByHand(pdpPort: number): Promise<Contender> {
  const child = startModule('baseline/server.ts', `http://127.0.0.1:${pdpPort}/api/runtime/resolution/v3`);
  return contender('by hand', child, await portOf(child), () => stop(child));
}

/** A contender that is a process of this one. */
export function contender(
  name: string,
  child: ChildProcess,
  port: number,
  end: () => Promise<void>,
): Contender {
  return { name, port, pid: child.pid ?? 0, masks: true, stop: end };
}

async function portFrom(file: string, child: ChildProcess): Promise<number> {
  const url = await readFile(file, 'utf8').catch(() => '');
  if (url !== '') return Number(new URL(url.trim()).port);
  if (child.exitCode !== null) throw new Error('the service did not start');
  await wait(LOOK_EVERY);
  return portFrom(file, child);
}
