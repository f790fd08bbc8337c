/**
 * Shows the reverse proxy: `node scripts/example-proxy.ts`, once the service is built. Starts the application and the service of
 * `examples/proxy`, on free ports, and prints what clients get without the proxy and through it. Exits with 1 and one clear line
 * if anything is wrong.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';
import * as z from 'zod';
import { DemoFailure, describeFailure } from './demo/failure.ts';
import { startService } from './demo/service.ts';
import { freePort } from './tools/free-port.ts';

const FOLDER = 'examples/proxy';

const configuration = z.looseObject({
  policyFile: z.string(),
  proxy: z.looseObject({ port: z.int(), upstream: z.string() }),
});

/** A request of a client, and whom the gateway in front has authenticated. */
interface Step {
  readonly title: string;
  readonly path: string;
  readonly user?: readonly [name: string, role: string];
}

const STEPS: readonly Step[] = [
  { title: 'Through the proxy, as Jane, an agent', path: '/customers', user: ['jane', 'Agent'] },
  { title: 'Through the proxy, as Max, a manager', path: '/customers', user: ['max', 'Manager'] },
  { title: 'Without a user', path: '/customers' },
  { title: 'A page that is not JSON', path: '/welcome', user: ['jane', 'Agent'] },
  { title: 'A route that refuses', path: '/exports/all.csv', user: ['jane', 'Agent'] },
  { title: 'A route that passes', path: '/health' },
];

async function startApplication(): Promise<{ readonly port: number; stop(): void }> {
  const child = spawn(process.execPath, [path.join(FOLDER, 'application.mjs')], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: unknown[] = await once(child.stdout, 'data');
  const port = /listening on (\d+)/u.exec(String(line))?.[1];
  if (port === undefined) throw new DemoFailure('The application of the example did not start.');
  return { port: Number(port), stop: () => void child.kill() };
}

/** A list with a line for each record. */
function linesOf(json: unknown): string {
  const records: readonly unknown[] = Array.isArray(json) ? json : [json];
  return records.map((record) => JSON.stringify(record)).join('\n');
}

async function show({ title, path: target, user }: Step, origin: string): Promise<void> {
  const headers = user && { 'x-user': user[0], 'x-role': user[1] };
  const answer = await fetch(`${origin}${target}`, { headers: headers ?? {} });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const shown = isJson ? linesOf(JSON.parse(text)) : text;
  process.stdout.write(`${title}: GET ${target} -> ${answer.status}\n${shown}\n\n`);
}

async function run(): Promise<void> {
  const written = configuration.parse(parse(await readFile(path.join(FOLDER, 'config.yaml'), 'utf8')));
  const application = await startApplication();
  try {
    const port = await freePort();
    const upstream = `http://127.0.0.1:${application.port}`;
    const policyFile = path.resolve(FOLDER, written.policyFile);
    const proxy = { ...written.proxy, port, upstream };
    const service = await startService({
      configuration: { ...written, policyFile, proxy, port: 0 },
      onLine: () => undefined,
    });
    await show({ title: 'The application itself', path: '/customers' }, upstream);
    for (const step of STEPS) {
      // oxlint-disable-next-line no-await-in-loop -- shown one after another
      await show(step, `http://127.0.0.1:${port}`);
    }
    await service.stop();
  } finally {
    application.stop();
  }
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}
