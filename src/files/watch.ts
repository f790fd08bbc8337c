import { setTimeout as wait } from 'node:timers/promises';
import { lookAt, untilQuiet, type Sight } from './quiet.ts';

/** How often the files are looked at, in milliseconds. */
const INTERVAL = 1000;

/** Files that are being watched. */
export interface FileWatch {
  close(): void;
}

interface WatchOptions {
  /** How often the files are looked at, in milliseconds. */
  readonly interval?: number | undefined;
  /** What was seen of the files when they were read; that of now if it is left out. `changed` calls back once in any case. */
  readonly seen?: Sight | 'changed' | undefined;
}

/**
 * Watches files, and does not keep the process running for it.
 *
 * It polls each path: Kubernetes replaces a symbolic link when a mounted secret changes, and editors replace the file.
 * File system events report neither reliably.
 *
 * @param onChange called after changes, when nobody writes to any of the files any more, with what was seen of them then. The
 *   next change is looked for when it is done.
 */
export function watchFiles(
  paths: readonly string[],
  onChange: (seen: Sight) => Promise<void> | void,
  { interval = INTERVAL, seen }: WatchOptions = {},
): FileWatch {
  if (paths.length === 0) return { close: () => undefined };
  const ending = new AbortController();
  const pause = (milliseconds: number): Promise<void> =>
    wait(milliseconds, undefined, { ref: false, signal: ending.signal });
  const look = (): Promise<Sight> => lookAt(paths);
  const callBack = async (first: Sight): Promise<Sight> => {
    const quiet = await untilQuiet(first, { look, pause });
    ending.signal.throwIfAborted();
    await onChange(quiet);
    return quiet;
  };
  const follow = async (before: Sight): Promise<void> => {
    await pause(interval);
    const now = await look();
    next(now.state === before.state ? before : await callBack(now));
  };
  // It does not wait for the next look, as that would keep all looks of a long life in memory.
  const next = (before: Sight): void => run(follow(before));
  const run = (step: Promise<void>): void => void step.catch(throwUnlessEnded);
  const throwUnlessEnded = (error: unknown): void => {
    if (!ending.signal.aborted) throw error;
  };
  const begin = async (): Promise<void> => {
    next(seen === 'changed' ? await callBack(await look()) : (seen ?? (await look())));
  };
  run(begin());
  return { close: () => ending.abort() };
}
