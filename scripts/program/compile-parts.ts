/**
 * Writes beside each part of the bundled program what V8 compiled of it: `node scripts/program/compile-parts.ts dist/program
 * service`. It runs short commands, and with `service` the service, for what these need. Of parts that they do not load it keeps
 * what V8 knows before they run.
 */
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import v8 from 'node:v8';
import { Script } from 'node:vm';
import * as z from 'zod';
import { COMPILED, Loader } from '../../packaging/program/loader.ts';
import { useService } from './use-service.ts';

const POLICIES = 'examples/policies/demo.yaml';
const PAYLOAD = 'examples/payloads/customers.json';

const startPart = z.object({ run: z.custom<() => Promise<void>>((run) => typeof run === 'function') });

const [, , folder = '', uses] = process.argv;
const work = mkdtempSync(path.join(tmpdir(), 'compile-parts-'));
try {
  const parts = readdirSync(folder).filter((name) => name.endsWith('.cjs'));
  const loader = new Loader(partIn, 'program');
  const { run } = startPart.parse(loader.require('./start.cjs'));
  const use = async (...args: readonly string[]): Promise<void> => {
    process.argv = [process.execPath, 'main.js', ...args];
    await run();
    if (process.exitCode) throw new Error(`the program fails with ${args.join(' ')}`);
  };
  for (const stream of [process.stdout, process.stderr]) stream.write = silent;
  fs.writeSync = silentSync;
  // V8 takes what was compiled under the flags that a process starts with; the service sets others when it listens.
  v8.setFlagsFromString = () => undefined;
  await useCommands(use);
  if (uses === 'service') await useService(use, PAYLOAD, work);
  const compiled = parts.map((name) => {
    const script = loader.scripts.get(name) ?? new Script(sourceOf(name), { filename: name });
    return [name, script.createCachedData()] as const;
  });
  await Promise.all(compiled.map(([name, data]) => writeFile(path.join(folder, name + COMPILED), data)));
} finally {
  rmSync(work, { recursive: true });
}
process.exit();

/** What was compiled before is no basis: it may be of other sources. */
function partIn(name: string): Buffer | undefined {
  return name.endsWith(COMPILED) ? undefined : readFileSync(path.join(folder, name));
}

/** As the loader reads it. */
function sourceOf(name: string): string {
  return readFileSync(path.join(folder, name), 'latin1');
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

/** Verifies a configuration, and enforces a file. */
async function useCommands(use: (...args: readonly string[]) => Promise<void>): Promise<void> {
  const config = path.join(work, 'config.yaml');
  await writeFile(config, 'port: 5002\npdpUrl: http://127.0.0.1:8181\nattrName: column\n');
  await use('-c', config, '--check');
  await use('enforce', '-p', POLICIES, '--as', 'Agent/jane', PAYLOAD);
}
