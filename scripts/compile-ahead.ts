/**
 * Has V8 compile the bundled program ahead, for this Node.js and this processor: `node scripts/compile-ahead.ts dist/program`. It
 * runs the program as users do and writes beside each part what V8 compiled of it by then, which differs a little each time. A
 * process that finds it starts in about half the time.
 */
import { once } from 'node:events';
import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import v8 from 'node:v8';
import * as z from 'zod';
import { COMPILED, Loader } from '../packaging/program/loader.ts';

const POLICIES = 'examples/policies/demo.yaml';
const PAYLOAD = 'examples/payloads/customers.json';
const DECISION =
  '{"tokenValidity":0,"response":[{"access":[{"path":"name","resourceType":"columns","attributes":{"column":["name"]},' +
  '"actions":[{"action":"MASK"}],"policies":[{"name":"Names","metadata":{}}]}],"privileges":{"allowed":[],"denied":[]}}]}';
const QUESTION = '{"clientId":"a","clientSecret":"b","entityTypeId":"User","entityId":"ann"}';
/** How many requests are made: more than one, because connections are used again. */
const REQUESTS = 3;

const startPart = z.object({ run: z.custom<() => Promise<void>>((run) => typeof run === 'function') });
const listening = z.object({ port: z.number() });

const [, , folder = ''] = process.argv;
const work = mkdtempSync(path.join(tmpdir(), 'compile-ahead-'));
try {
  const loader = new Loader(partIn, 'program');
  const { run } = startPart.parse(loader.require('./start.cjs'));
  for (const stream of [process.stdout, process.stderr]) stream.write = silent;
  fs.writeSync = silentSync;
  // V8 takes what was compiled under the flags that a process starts with; the service sets others when it listens.
  v8.setFlagsFromString = () => undefined;
  await useAll(run);
  for (const [name, script] of loader.scripts)
    // oxlint-disable-next-line no-await-in-loop -- as many as there are parts
    await writeFile(path.join(folder, name + COMPILED), script.createCachedData());
} finally {
  rmSync(work, { recursive: true });
}
process.exit();

/** What was compiled before is no basis: it may be of other sources. */
function partIn(name: string): Buffer | undefined {
  return name.endsWith(COMPILED) ? undefined : readFileSync(path.join(folder, name));
}

/** Takes what is written, and says so. */
function silent(_text: unknown, ...others: readonly unknown[]): boolean {
  const done = others.at(-1);
  if (typeof done === 'function') queueMicrotask(() => void done());
  return true;
}

/** As the program prints a line. */
function silentSync(_file: number, text: string | NodeJS.ArrayBufferView): number {
  return typeof text === 'string' ? text.length : text.byteLength;
}

/** Verifies a configuration, enforces a file, and serves requests. */
async function useAll(run: () => Promise<void>): Promise<void> {
  const use = async (...args: readonly string[]): Promise<void> => {
    process.argv = [process.execPath, 'main.js', ...args];
    await run();
    if (process.exitCode) throw new Error(`the program fails with ${args.join(' ')}`);
  };
  const config = path.join(work, 'config.yaml');
  const ready = path.join(work, 'ready');
  await writeFile(
    config,
    `port: 0\nhost: 127.0.0.1\npdpUrl: http://127.0.0.1:${await startPdp()}\nattrName: column\n`,
  );
  await use('-c', config, '--check');
  await use('enforce', '-p', POLICIES, '--as', 'Agent/jane', PAYLOAD);
  await use('-c', config, '--ready-file', ready);
  const url = readFileSync(ready, 'utf8').trim();
  // oxlint-disable-next-line no-await-in-loop -- one after the other, on the same connection
  for (let request = 0; request < REQUESTS; request += 1) await enforceAt(url);
}

async function enforceAt(url: string): Promise<void> {
  const body = `{"parameters":{},"vendor":${QUESTION},"json":${readFileSync(PAYLOAD, 'utf8')}}`;
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/enforce`, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the program answers ${answer.status}`);
}

async function startPdp(): Promise<number> {
  const pdp = createServer((request, response) => {
    request.resume().once('end', () => response.end(DECISION));
  });
  await once(pdp.listen(0, '127.0.0.1'), 'listening');
  return listening.parse(pdp.address()).port;
}
