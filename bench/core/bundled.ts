import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import { coreResult, type CoreResult } from '../report/results.ts';

/**
 * Measures the core as it ships: bundled into one script. Modules look up what they import each time; and a process that reads
 * TypeScript has detached a buffer once, after which V8 asks at each access to a buffer whether that one is.
 *
 * @param folder for the bundle and what it measures
 */
export async function measureBundledCore(folder: string, isQuick: boolean): Promise<CoreResult[]> {
  const script = path.join(folder, 'core.cjs');
  const file = path.join(folder, 'core.json');
  await build({
    entryPoints: ['bench/core/run.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: `node${process.versions.node}`,
    outfile: script,
    logLevel: 'error',
  });
  const args = ['--expose-gc', script, file, ...(isQuick ? ['--quick'] : [])];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('measuring the core failed');
  return z.array(coreResult).parse(JSON.parse(readFileSync(file, 'utf8')));
}
