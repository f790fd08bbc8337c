import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import * as z from 'zod';

const BENCH = path.dirname(import.meta.dirname);

const listening = z.object({ port: z.number() });

/** Starts a module of the benchmark in a process of its own, which ends when this one does. */
export function startModule(module: string, ...args: readonly string[]): ChildProcess {
  const env = { ...process.env, NODE_ENV: 'production' };
  return fork(path.join(BENCH, module), args, {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Where a module listens, once it does. */
export async function portOf(child: ChildProcess): Promise<number> {
  return listening.parse(await messageOf(child)).port;
}

/** Sends a message and yields the answer. */
export async function ask(child: ChildProcess, message: object): Promise<unknown> {
  const answered = messageOf(child);
  child.send(message);
  return answered;
}

/** Ends a process by a signal, and waits until it is gone. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Its next message. */
async function messageOf(child: ChildProcess): Promise<unknown> {
  const controller = new AbortController();
  const { signal } = controller;
  const message = once(child, 'message', { signal }).then(([received]) => received);
  const end = once(child, 'exit', { signal }).then(() => {
    throw new Error('a process of the benchmark ended');
  });
  try {
    return await Promise.race([message, end]);
  } finally {
    controller.abort();
    await Promise.allSettled([message, end]);
  }
}
