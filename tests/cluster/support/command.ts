import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** How long a command may take, in milliseconds. */
const TIMEOUT = 300_000;

/** Runs a command and waits for its end, whatever that is. */
export async function outcomeOf(
  line: readonly string[],
  { env, input = '' }: CommandOptions,
): Promise<Outcome> {
  const [command = '', ...args] = line;
  const child = spawn(command, args, { env, timeout: TIMEOUT, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, stdout, stderr };
}

/**
 * Runs a command that must succeed.
 *
 * @returns its standard output
 * @throws Error with what it printed
 */
export async function outputOf(line: readonly string[], options: CommandOptions): Promise<string> {
  const { status, stdout, stderr } = await outcomeOf(line, options);
  if (status === 0) return stdout;
  const shown = line.join(' ').replaceAll(/\s+/g, ' ').slice(0, 200);
  throw new Error(`${shown} exited with ${status}: ${`${stderr}${stdout}`.trim().slice(-600)}`);
}

/**
 * Tries until something holds.
 *
 * @param seconds how long to try
 * @throws the last error when the time is over
 */
export async function eventually<T>(attempt: () => Promise<T>, seconds = 120): Promise<T> {
  const end = Date.now() + seconds * 1000;
  const again = async (): Promise<T> => {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await wait(1000);
    return again();
  };
  return again();
}

/** @throws Error with the text if it does not have the words */
export function expectWords(printed: string, ...words: readonly string[]): void {
  for (const word of words) {
    if (!printed.includes(word)) throw new Error(`Expected "${word}" in: ${printed.trim().slice(-600)}`);
  }
}
