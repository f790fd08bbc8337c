import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { ensureTool } from './tool.ts';

export type RealPdpName = 'opa' | 'cerbos';

/** A PDP of another project, as a process of its own on loopback. */
export interface RealPdp {
  readonly port: number;
  stop(): Promise<void>;
}

const START_TIMEOUT = 60_000;

interface Way {
  readonly arguments: (port: number, grpcPort: number) => readonly string[];
  readonly health: string;
}

/** How each is started on the policies of its example. */
const WAYS: Readonly<Record<RealPdpName, Way>> = {
  opa: {
    arguments: (port) => [
      'run',
      '--server',
      '--disable-telemetry',
      `--addr=127.0.0.1:${port}`,
      '--log-level=error',
      'examples/opa/masking.rego',
      'examples/opa/filters.rego',
    ],
    health: '/health',
  },
  cerbos: {
    arguments: (port, grpcPort) => [
      'server',
      '--config=examples/cerbos/cerbos.yaml',
      '--log-level=error',
      `--set=server.httpListenAddr=127.0.0.1:${port}`,
      `--set=server.grpcListenAddr=127.0.0.1:${grpcPort}`,
      '--set=storage.disk.directory=examples/cerbos/policies',
    ],
    health: '/_cerbos/health',
  },
};

/** @returns undefined if the program cannot be had */
export async function startRealPdp(name: RealPdpName): Promise<RealPdp | undefined> {
  const program = ensureTool(name);
  if (program === undefined) return undefined;
  const [port, grpcPort] = [await freePort(), await freePort()];
  const child = spawn(program, WAYS[name].arguments(port, grpcPort), { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  };
  try {
    await healthy(`http://127.0.0.1:${port}${WAYS[name].health}`, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

async function healthy(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + START_TIMEOUT;
  while (Date.now() < end && child.exitCode === null) {
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return;
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    await wait(50);
  }
  throw new Error(`${child.spawnfile} did not start.`);
}
