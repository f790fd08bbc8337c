import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Contestant } from '../measure/contestant.ts';

const SOURCE = path.join(import.meta.dirname, 'gjson');
const NANOSECONDS_PER_MILLISECOND = 1e6;

/**
 * Builds the Go program with gjson and sjson.
 *
 * @returns its path; undefined without a Go toolchain, or where its modules cannot be had
 */
export function buildGjson(folder: string): string | undefined {
  const program = path.resolve(folder, 'gjson');
  const { status } = spawnSync('go', ['build', '-o', program, '.'], { cwd: SOURCE, stdio: 'inherit' });
  return status === 0 ? program : undefined;
}

/** gjson and sjson, in a process of their own that is told when to work. */
export interface GjsonProcess {
  readonly contestant: Contestant;
  close(): Promise<void>;
}

export function startGjson(program: string, text: string, properties: readonly string[]): GjsonProcess {
  const payload = `${program}-payload.json`;
  writeFileSync(payload, text);
  const child = spawn(program, [payload, ...properties]);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    child.stdin.write(`${question}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error('gjson ended');
    return value;
  };
  return {
    contestant: {
      name: 'gjson + sjson (Go)',
      answer: async () => Buffer.from(await ask('answer')),
      time: async (times) => Number(await ask(String(times))) / NANOSECONDS_PER_MILLISECOND,
    },
    close: () => end(child),
  };
}

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  const ended = once(child, 'exit');
  child.stdin.end();
  await ended;
}
